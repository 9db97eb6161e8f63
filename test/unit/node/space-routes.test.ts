/** The routes of manifests on a running network with a restricted dataspace. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routesOf } from '../../../src/api/feature.js'
import type { Json } from '../../../src/codec/index.js'
import { ABI_2 } from '../../../src/features/abi.js'
import { instructions as domains } from '../../../src/features/domains/schema.js'
import type { ServiceContext } from '../../../src/features/service.js'
import { spaceService } from '../../../src/features/spaces/node.js'
import { spaceSchema } from '../../../src/features/spaces/schema/index.js'
import { Gateway } from '../../../src/gateway/index.js'
import { formatAddress, type Instruction, instruction, NO_METADATA } from '../../../src/model/index.js'
import { signedBy, type TestAccount, testAccount } from '../../support/chain.js'
import { Cluster } from '../../support/cluster.js'
import * as core from '../../support/core.js'
import { LANES_ON, laneSpecOf, updateLanes } from '../../support/lanes.js'
import { CORE } from '../../support/served-routes.js'
import { BOND, BOTH, DEPOT, expire, publish, revoke } from '../../support/spaces.js'

const BASE = '/v1/space-directory'
const admin = await testAccount('genesis')
const alice = await testAccount('alice')
const bob = await testAccount('bob')
const dora = await testAccount('dora')

let cluster: Cluster
let gateway: Gateway

const services = () => (cluster.list[0] as Cluster['list'][number]).core.services
const addressOf = ({ id }: TestAccount): string => formatAddress(id, services().info.addressPrefix)

const signed = (account: TestAccount, instructions: readonly Instruction[]): Buffer =>
  signedBy(account, instructions, Date.now(), 100_000, services().info.codec).bytes

async function commit(account: TestAccount, ...instructions: Instruction[]): Promise<void> {
  const before = services().status(true).txsApproved
  const answer = await services().submit(signed(account, instructions))
  if (!answer.ok) throw answer.error
  await cluster.until('a block', () => services().status(true).txsApproved > before)
}

async function ask<T = Record<string, Json>>(path: string, body?: Json, status = 200): Promise<T> {
  const sent =
    body === undefined
      ? {}
      : { method: 'POST' as const, payload: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
  const answer = await gateway.inject({ url: `${BASE}${path}`, ...sent })
  expect(answer.statusCode, `${path}: ${answer.body}`).toBe(status)
  return JSON.parse(answer.body) as T
}
const listed = async (query: string) => {
  const { items } = await ask<{ items: { account: string; dataspace: string; status: string }[] }>(`/manifests${query}`)
  return items.map(({ account, dataspace, status }) => [dataspace, account, status])
}

beforeAll(async () => {
  const world = [
    BOTH,
    updateLanes({ add: [laneSpecOf(1, { dataspace: DEPOT }), laneSpecOf(2, { dataspace: 9n })] }),
    instruction(domains.registerDomain, { id: 'depot', dataspace: DEPOT, metadata: NO_METADATA }),
    core.registerAccount(dora.id, 'dora', 'depot'),
    core.registerDefinition(BOND),
    core.mint(alice.id, 100n, BOND),
    ...['7', '9'].map((space) => core.permission('grant', 'CanPublishManifests', space, admin.id)),
  ]
  cluster = await Cluster.start(1, [alice, bob], world, undefined, LANES_ON, ABI_2)
  const opened = await spaceService.open({} as ServiceContext, undefined)
  gateway = new Gateway(
    { address: '127.0.0.1:0', rateLimit: undefined, telemetryProfile: 'full', operatorKeys: [] },
    {
      services: services(),
      routes: [...CORE.routes, ...routesOf(spaceSchema)],
      streams: CORE.streams,
      handlers: new Map([...CORE.handlers, ...(opened?.handlers ?? [])]),
    },
  )
  const transfer = { instruction: 'asset::transfer', definition: BOND, max: 40n, window: 'day' as const }
  const later = Date.now() + 86_400_000
  await commit(
    admin,
    publish({
      space: 7,
      account: alice.id,
      version: 1,
      entries: [{ isDenial: true, counterparty: '*@bank' }, transfer],
    }),
    publish({ space: 9, account: alice.id, version: 1, from: later, entries: [{}] }),
    publish({ space: 7, account: bob.id, version: 1, until: Date.now() + 100, entries: [{}] }),
    publish({ space: 9, account: bob.id, version: 1, entries: [{}] }),
    revoke(9, bob.id, 'over'),
  )
  await commit(alice, core.transfer(alice.id, dora.id, 15n, BOND))
  await cluster.until('the time', () => Date.now() > later - 86_400_000 + 200)
  await commit(admin, core.log('later'))
})
afterAll(async () => {
  await gateway.close()
  await cluster.close()
})

describe('the space directory', () => {
  it('shows manifests with their status, by dataspace, account and status, page by page', async () => {
    const [a, b] = [addressOf(alice), addressOf(bob)]
    const all = [
      ['7', a, 'Active'],
      ['7', b, 'Expired'],
      ['9', a, 'Pending'],
      ['9', b, 'Revoked'],
    ]
    const sorted = (rows: string[][]) => rows.map((row) => row.join(' ')).sort()
    expect(sorted(await listed(''))).toEqual(sorted(all))
    expect(sorted(await listed('?dataspace=7'))).toEqual(sorted(all.slice(0, 2)))
    expect(await listed('?account=user0@bank')).toEqual([all[0], all[2]])
    expect(await listed('?account=user0@bank&dataspace=9')).toEqual([all[2]])
    expect(await listed('?account=user0@bank&dataspace=9&limit=1')).toEqual([all[2]])
    expect(await listed('?status=revoked')).toEqual([all[3]])
    expect(await listed('?dataspace=8')).toEqual([])
    const pages: string[][] = []
    for (const filter of ['', '&account=user0@bank']) {
      let cursor: string | null = null
      do {
        const query: string = `/manifests?limit=1${filter}${cursor === null ? '' : `&cursor=${cursor}`}`
        const page: { items: { dataspace: string; account: string; status: string }[]; next_cursor: string | null } =
          await ask(query)
        pages.push(...page.items.map(({ dataspace, account, status }) => [dataspace, account, status]))
        cursor = page.next_cursor
      } while (cursor !== null)
    }
    expect(sorted(pages)).toEqual(sorted([...all, all[0] as string[], all[2] as string[]]))
  })

  it('shows one manifest, and reports a missing one', async () => {
    expect(await ask('/manifests/9/user1@bank')).toMatchObject({
      dataspace: '9',
      account: addressOf(bob),
      status: 'Revoked',
      version: 1,
      issuer: addressOf(admin),
      revoked: { reason: 'over' },
      expires_ms: null,
      height: 4,
    })
    expect(await ask('/manifests/8/user1@bank', undefined, 404)).toMatchObject({ code: 'not_found' })
    await ask('/manifests/7/nobody@bank', undefined, 404)
    await ask('/manifests/seven/user0@bank', undefined, 400)
  })

  it('shows the remaining amounts of an account for each dataspace', async () => {
    expect(await ask('/accounts/user0@bank')).toMatchObject({
      items: [
        { dataspace: '7', status: 'Active', allowances: [{ entry: 1, left: '25', window: 'Day' }] },
        { dataspace: '9', status: 'Pending', allowances: [{ entry: 0, left: null, window: null }] },
      ],
      next_cursor: null,
    })
    const { items, next_cursor } = await ask<{ items: Json[]; next_cursor: string }>('/accounts/user0@bank?limit=1')
    expect(items).toHaveLength(1)
    expect(await ask(`/accounts/user0@bank?limit=1&cursor=${next_cursor}`)).toMatchObject({
      items: [{ dataspace: '9' }],
    })
    expect(await ask('/accounts/dora@depot')).toMatchObject({ items: [] })
  })

  it('evaluates an instruction against the last block, and changes nothing', async () => {
    const transfer = (to: TestAccount, amount: string): Json => ({
      Transfer: { asset: { definition: BOND, account: addressOf(alice) }, to: addressOf(to), amount },
    })
    const evaluated = (instruction: Json, account = 'user0@bank') => ask('/evaluate', { account, instruction })
    const { height } = await evaluated(transfer(dora, '25'))
    expect(await evaluated(transfer(dora, '25'))).toEqual({ decision: 'Allow', entry: 1, rest: '0', height })
    expect(await evaluated(transfer(dora, '26'))).toEqual({ decision: 'Deny', height })
    expect(await evaluated(transfer(bob, '1'))).toEqual({ decision: 'Deny', entry: 0, height })
    expect(await evaluated({ Log: { level: 'Info', text: 'x' } })).toEqual({ decision: 'Allow', height })
    // The dataspace admits it; whether the permission is there is not its subject.
    expect(await evaluated(transfer(bob, '1'), 'dora@depot')).toEqual({ decision: 'Allow', height })
    await ask('/evaluate', { account: 'nobody@bank', instruction: transfer(bob, '1') }, 404)
    expect(await ask('/accounts/user0@bank')).toMatchObject({ items: [{ allowances: [{ left: '25' }] }, {}] })
  })

  it('drafts the instructions of operators', async () => {
    const account = 'user0@bank'
    const entries = [{ scope: {}, effect: { Allow: {} } }]
    expect(await ask('/manifests', { dataspace: '7', account, version: 2, entries })).toMatchObject({
      instructions: [{ PublishManifest: { dataspace: '7', account: addressOf(alice), version: 2 } }],
    })
    expect(await ask('/manifests/revoke', { dataspace: '7', account, reason: 'over' })).toMatchObject({
      instructions: [{ RevokeManifest: { account: addressOf(alice), reason: 'over' } }],
    })
    expect(await ask('/manifests/expire', { dataspace: '7', account })).toMatchObject({
      instructions: [{ ExpireManifest: { account: addressOf(alice) } }],
    })
    await ask('/manifests', { dataspace: '7', account, version: 2, entries, private_key: 'x' }, 400)
    const unsound = [{ scope: {}, effect: { Allow: { max_amount: '5' } } }]
    const drafted = await ask(`/manifests?authority=user0@bank`, {
      dataspace: '7',
      account,
      version: 2,
      entries: unsound,
    })
    expect(drafted.dry_run).toMatchObject({ rejection: { code: 'not_permitted' } })
  })

  it('no longer shows a removed manifest', async () => {
    await commit(alice, expire(7, bob.id))
    expect(await listed('?account=user1@bank')).toEqual([['9', addressOf(bob), 'Revoked']])
    await ask('/manifests/7/user1@bank', undefined, 404)
  })
})

describe('the routing of guest accounts', () => {
  it('admits a guest that has a manifest, and refuses other guests', async () => {
    const pay = (from: TestAccount) => signed(from, [core.transfer(from.id, dora.id, 1n, BOND)])
    const refused = await services().submit(pay(bob))
    expect(refused.ok ? undefined : refused.error.code).toBe('queue_unresolved_route')
    expect((await services().submit(pay(alice))).ok).toBe(true)
  })
})
