/** The routes of real-world assets on a running network. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routesOf } from '../../../src/api/feature.js'
import type { Json } from '../../../src/codec/index.js'
import { ABI_2 } from '../../../src/features/abi.js'
import { rwaService } from '../../../src/features/rwas/node.js'
import { rwaSchema } from '../../../src/features/rwas/schema/index.js'
import { draftRoutes } from '../../../src/features/rwas/schema/routes.js'
import type { ServiceContext } from '../../../src/features/service.js'
import { Gateway } from '../../../src/gateway/index.js'
import { formatAddress, type Instruction } from '../../../src/model/index.js'
import { signedBy, type TestAccount, testAccount } from '../../support/chain.js'
import { Cluster } from '../../support/cluster.js'
import * as core from '../../support/core.js'
import * as rwa from '../../support/rwas.js'
import { GOLD, lotOf } from '../../support/rwas.js'
import { CORE } from '../../support/served-routes.js'

const BASE = '/v1/rwas'
const CLASS = encodeURIComponent(GOLD)
const admin = await testAccount('genesis')
const alice = await testAccount('alice')
const bob = await testAccount('bob')

let cluster: Cluster
let gateway: Gateway
let streams: NonNullable<Awaited<ReturnType<typeof rwaService.open>>>['streams']

const services = () => (cluster.list[0] as Cluster['list'][number]).core.services
const addressOf = ({ id }: TestAccount): string => formatAddress(id, services().info.addressPrefix)

async function commit(account: TestAccount, ...instructions: Instruction[]): Promise<void> {
  const before = services().status(true).txsApproved
  const { bytes } = signedBy(account, instructions, Date.now(), 100_000, services().info.codec)
  const answer = await services().submit(bytes)
  if (!answer.ok) throw answer.error
  await cluster.until('a block', () => services().status(true).txsApproved > before)
}

async function ask<T = Record<string, Json>>(path: string, body?: Json, status = 200): Promise<T> {
  const sent =
    body === undefined
      ? {}
      : { method: 'POST' as const, payload: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
  const answer = await gateway.inject({ url: path.startsWith('/v1') ? path : `${BASE}${path}`, ...sent })
  expect(answer.statusCode, `${path}: ${answer.body}`).toBe(status)
  return JSON.parse(answer.body) as T
}
type Listed = { items: { id: string }[]; next_cursor?: string | null }
const idsOf = ({ items }: Listed): string[] => items.map(({ id }) => id)

beforeAll(async () => {
  cluster = await Cluster.start(1, [alice, bob], [core.registerDefinition('eur#bank')], undefined, undefined, ABI_2)
  const opened = await rwaService.open({} as ServiceContext, undefined)
  streams = opened?.streams
  gateway = new Gateway(
    { address: '127.0.0.1:0', rateLimit: undefined, telemetryProfile: 'full', operatorKeys: [] },
    {
      services: services(),
      routes: [...CORE.routes, ...routesOf(rwaSchema)],
      streams: new Map([...CORE.streams, ...(streams ?? [])]),
      handlers: new Map([...CORE.handlers, ...(opened?.handlers ?? [])]),
    },
  )
  await commit(
    admin,
    ...[rwa.registerClass(), rwa.registerClass('silver#bank'), rwa.issue(alice.id, 1_000n), rwa.issue(bob.id, 500n)],
    ...[rwa.issue(bob.id, 70n, { id: 'silver#bank' }), rwa.freeze(2)],
  )
  await commit(alice, rwa.move(1, bob.id, 400n), rwa.split(1, 100n), rwa.merge(1, 4))
})
afterAll(async () => {
  await gateway.close()
  await cluster.close()
})

describe('real-world asset lots', () => {
  it('are listed by class, holder, reference and freeze, page by page', async () => {
    const gold = [2, 3, 5].map((at) => lotOf(at))
    const silver = lotOf(1, 'silver#bank')
    expect(idsOf(await ask(''))).toEqual([...gold, silver])
    expect(idsOf(await ask('/v1/explorer/rwas'))).toEqual([...gold, silver])
    expect(idsOf(await ask(`?class=${CLASS}`))).toEqual(gold)
    expect(idsOf(await ask(`?holder=${addressOf(bob)}`))).toEqual([lotOf(2), lotOf(3), silver])
    expect(idsOf(await ask(`?holder=user0@bank&class=${CLASS}`))).toEqual([lotOf(5)])
    expect(idsOf(await ask('?reference=bar&frozen=true'))).toEqual([lotOf(2)])
    expect(idsOf(await ask('?reference=ba'))).toEqual([])
    expect(idsOf(await ask('/query', { holder: addressOf(bob), class: GOLD }))).toEqual([lotOf(2), lotOf(3)])
    const pages: string[] = []
    for (let cursor = ''; ; ) {
      const page: Listed = await ask(`?limit=1${cursor}`)
      pages.push(...idsOf(page))
      if (page.next_cursor === null || page.next_cursor === undefined) break
      cursor = `&cursor=${page.next_cursor}`
    }
    expect(pages).toEqual([...gold, silver])
  })

  it('are shown with their papers, whether live or spent', async () => {
    expect(await ask(`/${CLASS}/5`)).toMatchObject({
      id: lotOf(5),
      class: GOLD,
      number: 5,
      status: 'Live',
      holder: addressOf(alice),
      quantity: '6',
      free: '6',
      grade: 'fine',
      reference: 'bar',
      frozen: false,
      attributes: {},
      holds: [],
      parents: [
        { lot: lotOf(1), quantity: '5' },
        { lot: lotOf(4), quantity: '1' },
      ],
    })
    expect(await ask(`/${CLASS}/1`)).toMatchObject({ status: 'Spent', cause: 'Merged', holder: null, quantity: null })
    expect(await ask(`/${CLASS}/9`, undefined, 404)).toMatchObject({ code: 'not_found' })
    await ask(`/${CLASS}/x`, undefined, 400)
  })

  it('list their ancestors, latest first, page by page', async () => {
    const page = await ask<{ items: { lot: string; status: string }[]; next_cursor: string }>(
      `/${CLASS}/5/provenance?limit=1`,
    )
    expect(page.items).toMatchObject([{ lot: lotOf(4), status: 'Spent' }])
    const rest = await ask<{ items: { lot: string }[] }>(`/${CLASS}/5/provenance?cursor=${page.next_cursor}`)
    expect(rest.items.map(({ lot }) => lot)).toEqual([lotOf(1)])
    await ask(`/${CLASS}/9/provenance`, undefined, 404)
  })

  it('list their events, latest first, page by page', async () => {
    const kinds = (page: { items: { event: Record<string, Json> }[] }) =>
      page.items.map(({ event }) => Object.keys(event)[0])
    type Changes = Parameters<typeof kinds>[0] & { next_cursor: string }
    const all: Changes = await ask(`/${CLASS}/1/history`)
    expect(kinds(all)).toEqual(['RwaMerged', 'RwaSplit', 'RwaSplit', 'RwaIssued'])
    const first: Changes = await ask(`/${CLASS}/1/history?limit=3`)
    expect(kinds(await ask(`/${CLASS}/1/history?cursor=${first.next_cursor}`))).toEqual(['RwaIssued'])
    await ask(`/${CLASS}/9/history`, undefined, 404)
  })
})

describe('real-world asset classes', () => {
  it('are shown with their terms, powers, quantity and holders', async () => {
    expect(idsOf(await ask('/classes'))).toEqual([GOLD, 'silver#bank'])
    expect(await ask(`/classes/${CLASS}`)).toMatchObject({
      id: GOLD,
      unit: 'g',
      kind: 'metal',
      scale: 2,
      paused: false,
      total_quantity: '15',
      holders: 2,
      lots: 5,
      owned_by: addressOf(admin),
      income: null,
      flags: { freeze: true, eligible_only: false },
    })
    await ask('/classes/none%23bank', undefined, 404)
    const { items } = await ask<{ items: { account: string; lots: number; owed: string }[] }>(
      `/classes/${CLASS}/holders`,
    )
    expect(items.map(({ account, lots }) => [account, lots]).sort()).toEqual(
      [
        [addressOf(alice), 1],
        [addressOf(bob), 2],
      ].sort(),
    )
    await ask('/classes/none%23bank/holders', undefined, 404)
    await ask('/classes/eur%23bank', undefined, 404)
  })

  it('are asset definitions with the mintability "lots"', async () => {
    expect(await ask(`/v1/assets/definitions/${CLASS}`)).toMatchObject({ mintable: 'Lots', total_quantity: '15' })
  })

  it('are shown with their declared income, and their lots with the amounts owed', async () => {
    await commit(admin, core.mint(admin.id, 100n, 'eur#bank'), rwa.declare(1_500n, 'eur#bank'))
    expect(await ask(`/classes/${CLASS}`)).toMatchObject({ income: { cash: 'eur#bank', unclaimed: '15' } })
    expect(await ask(`/${CLASS}/5`)).toMatchObject({ earned: '6' })
    await commit(bob, rwa.claim([5]))
    expect(await ask(`/${CLASS}/5`)).toMatchObject({ earned: '0' })
    expect(await ask(`/classes/${CLASS}`)).toMatchObject({ income: { unclaimed: '9' } })
  })
})

describe('drafts of lot instructions', () => {
  it('are available for every instruction', () => {
    expect(Object.keys(draftRoutes).sort()).toEqual(Object.keys(rwaSchema.instructions).sort())
  })

  it('contain the instruction, and simulate its transaction if an authority is given', async () => {
    const body = { lot: lotOf(5), quantity: '1.5', to: 'user1@bank' }
    const draft = await ask<{ instructions: Json[] }>(`/transfer?authority=user0@bank`, body)
    expect(draft).toMatchObject({
      instructions: [{ TransferRwa: { lot: lotOf(5), quantity: '1.5', to: addressOf(bob) } }],
      dry_run: { outcome: 'Approved' },
    })
    await ask('/transfer', { ...body, private_key: 'x' }, 400)
    await ask('/transfer', { ...body, lot: 'gold#bank' }, 400)
  })
})

describe('the event stream of lots', () => {
  it('reports events of a class, a lot or an account', async () => {
    const [id, source] = [...(streams ?? [])][0] ?? []
    if (id === undefined || source?.kind !== 'items') throw new Error('expected a stream of items')
    const height = services().status(true).blocks
    const heights = Array.from({ length: height }, (_, at) => at + 1)
    const items = (await Promise.all(heights.map((at) => source.read(services(), at)))).flat()
    const wanted = (query: Json, account?: unknown) => {
      const filter = source.wanted?.({ params: {}, query, accounts: { account }, services: services() })
      if (typeof filter !== 'function') throw new Error('the stream refuses')
      return items.filter(filter).map((item) => (item as { event: { kind: string } }).event.kind)
    }
    expect(wanted({}).length).toBe(items.length)
    expect(wanted({ class: 'silver#bank' })).toEqual(['rwaClassRegistered', 'rwaIssued'])
    expect(wanted({ lot: lotOf(3) })).toEqual(['rwaSplit'])
    expect(wanted({ class: GOLD }, bob.id)).toEqual(['rwaIssued', 'rwaSplit'])
  })
})
