/** The routes of repos on a running network: lists, exposure, history, drafts. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routesOf } from '../../../src/api/feature.js'
import type { Json } from '../../../src/codec/index.js'
import { ABI_2 } from '../../../src/features/abi.js'
import { repoService } from '../../../src/features/repo/node.js'
import { repoSchema } from '../../../src/features/repo/schema/index.js'
import { repoIdOf, repoTerms, termsHashOf } from '../../../src/features/repo/schema/records.js'
import type { ServiceContext } from '../../../src/features/service.js'
import { Gateway } from '../../../src/gateway/index.js'
import { dateOfDay, dayOfDate, formatAddress, type Instruction } from '../../../src/model/index.js'
import { signedBy, type TestAccount, testAccount } from '../../support/chain.js'
import { Cluster } from '../../support/cluster.js'
import * as core from '../../support/core.js'
import { act, consent, EUR, GOLD, idOf, margin, price, propose, setCalendar, TERMS } from '../../support/repos.js'
import { CORE } from '../../support/served-routes.js'

const BASE = '/v1/repo'
/** Half a day from now in the time of the calendar, an hour ahead of UTC: the business date stays while the test runs. */
const CUTOFF_MINUTE = (Math.floor(Date.now() / 60_000) + 13 * 60) % 1_440
const admin = await testAccount('genesis')
const alice = await testAccount('alice')
const bob = await testAccount('bob')
const carol = await testAccount('carol')

let cluster: Cluster
let gateway: Gateway
let terms = TERMS

const services = () => (cluster.list[0] as Cluster['list'][number]).core.services
const addressOf = ({ id }: TestAccount): string => formatAddress(id, services().info.addressPrefix)
const R1 = idOf('R1', alice.id)

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
  const answer = await gateway.inject({ url: `${BASE}${path}`, ...sent })
  expect(answer.statusCode, `${path}: ${answer.body}`).toBe(status)
  return JSON.parse(answer.body) as T
}
interface Listed {
  readonly items: { readonly reference: string; readonly status: string }[]
  readonly next_cursor?: string | null
}
const references = ({ items }: Listed): string[] => items.map(({ reference }) => reference).sort()

beforeAll(async () => {
  const world = [
    core.registerAccount(carol.id, 'carol'),
    ...[EUR, GOLD].map((id) => core.registerDefinition(id)),
    ...[alice, bob].flatMap(({ id }) => [EUR, GOLD].map((definition) => core.mint(id, 1_000_000n, definition))),
    core.permission('grant', 'CanManageCalendars', undefined, admin.id),
    setCalendar({ cutoffMinute: CUTOFF_MINUTE, weekend: [], holidays: ['2026-12-25'] }),
  ]
  cluster = await Cluster.start(1, [alice, bob], world, undefined, undefined, ABI_2)
  const opened = await repoService.open({} as ServiceContext, undefined)
  gateway = new Gateway(
    { address: '127.0.0.1:0', rateLimit: undefined, telemetryProfile: 'full', operatorKeys: [] },
    {
      services: services(),
      routes: [...CORE.routes, ...routesOf(repoSchema)],
      streams: new Map([...CORE.streams, ...(opened?.streams ?? [])]),
      handlers: new Map([...CORE.handlers, ...(opened?.handlers ?? [])]),
    },
  )
  await commit(bob, price(5_500n))
  const { business_date: today } = await ask<{ business_date: string }>('/calendars/demo')
  terms = {
    ...TERMS,
    eligible: [{ definition: GOLD, haircutPpm: 20_000 }],
    posters: [bob.id],
    purchaseDate: today,
    repurchaseDate: dateOfDay((dayOfDate(today) ?? 0) + 5),
  }
  const sides = { seller: alice.id, buyer: bob.id }
  const agreed = { ...sides, proposer: alice.id }
  await commit(alice, propose('R1', terms, sides), propose('R2', terms, { ...sides, custodian: carol.id }))
  await commit(bob, consent('R1', terms, agreed))
  await commit(bob, act('callMargin', 'R1', alice.id))
})
afterAll(async () => {
  await gateway.close()
  await cluster.close()
})

describe('lists of the repo routes', () => {
  it('of agreements can be filtered by party, status or reference, by GET and by POST', async () => {
    expect(references(await ask<Listed>('/agreements'))).toEqual(['R1', 'R2'])
    for (const party of [addressOf(alice), addressOf(bob)]) {
      expect(references(await ask<Listed>(`/agreements?party=${party}`))).toEqual(['R1', 'R2'])
    }
    expect(references(await ask<Listed>('/agreements?party=carol@bank'))).toEqual(['R2'])
    expect(references(await ask<Listed>('/agreements?status=open'))).toEqual(['R1'])
    expect(references(await ask<Listed>('/agreements?party=carol@bank&reference=R2'))).toEqual(['R2'])
    expect(references(await ask<Listed>('/agreements/query', { party: 'carol@bank', status: 'proposed' }))).toEqual([
      'R2',
    ])
    await ask('/agreements?party=nobody@bank', undefined, 404)
    await ask('/agreements?status=lost', undefined, 400)
  })

  it('continue at a cursor', async () => {
    for (const filter of ['', `&party=${addressOf(alice)}`]) {
      const first = await ask<Listed>(`/agreements?limit=1${filter}`)
      const rest = await ask<Listed>(`/agreements?limit=1${filter}&cursor=${first.next_cursor}`)
      expect([...references(first), ...references(rest)].sort()).toEqual(['R1', 'R2'])
      expect(rest.next_cursor).toBeFalsy()
    }
    const first = await ask<Listed>('/agreements/query', { limit: 1 })
    const rest = await ask<Listed>('/agreements/query', { limit: 1, cursor: first.next_cursor ?? null })
    expect([...references(first), ...references(rest)].sort()).toEqual(['R1', 'R2'])
  })

  it('contain the posted prices', async () => {
    const { items } = await ask<{ items: Record<string, Json>[] }>(
      `/prices?poster=${addressOf(bob)}&definition=gold%23bank`,
    )
    expect(items).toMatchObject([{ definition: GOLD, cash: EUR, price: '55' }])
    expect((await ask<Listed>('/prices?poster=carol@bank')).items).toEqual([])
  })
})

describe('a repo agreement', () => {
  it('shows its parties, terms, vault and call', async () => {
    const view = await ask(`/agreements/${R1.toString('hex')}`)
    expect(view).toMatchObject({ reference: 'R1', status: 'Open', seller: addressOf(alice), buyer: addressOf(bob) })
    const live = view.live as Record<string, Json>
    expect(live).toMatchObject({ cash_margin: '0', call: { exposure: '9150' } })
    expect(repoTerms.fromJson(live.terms as Json, services().info.codec)).toEqual({ ok: true, value: terms })
    const hash = termsHashOf({ seller: alice.id, buyer: bob.id, custodian: undefined, terms })
    expect(view.terms_hash).toBe(hash.toString('hex'))
    await ask(`/agreements/${idOf('none').toString('hex')}`, undefined, 404)
  })

  it('shows its exposure with prices and ages', async () => {
    expect(await ask(`/agreements/${R1.toString('hex')}/exposure`)).toMatchObject({
      owed: '90000',
      cover: '80850',
      exposure: '9150',
      callable: true,
      days: 0,
      definitions: [{ definition: GOLD, amount: '1500', haircut_ppm: 20_000, price: '55', value: '80850' }],
    })
  })

  it('shows its events, newest first', async () => {
    const path = `/agreements/${R1.toString('hex')}/history`
    const { items } = await ask<{ items: { event: Record<string, Json> }[] }>(path)
    expect(items.flatMap(({ event }) => Object.keys(event))).toEqual([
      ...['RepoMarginCalled', 'RepoOpened', 'RepoConsented', 'RepoProposed'],
    ])
    const page = await ask<{ items: unknown[]; next_cursor: string }>(`${path}?limit=3`)
    const rest = await ask<{ items: { event: Record<string, Json> }[] }>(`${path}?limit=3&cursor=${page.next_cursor}`)
    expect(rest.items.flatMap(({ event }) => Object.keys(event))).toEqual(['RepoProposed'])
  })

  it('still shows the paid amounts after it is closed', async () => {
    await commit(alice, margin('meetMargin', [], 915_000n, R1))
    await commit(alice, act('repurchaseRepo', 'R1', alice.id))
    expect(await ask(`/agreements/${R1.toString('hex')}`)).toMatchObject({ live: { early: addressOf(alice) } })
    await commit(bob, act('repurchaseRepo', 'R1', alice.id))
    expect(await ask(`/agreements/${R1.toString('hex')}`)).toMatchObject({
      status: 'Closed',
      closed: { cause: 'Repurchased', paid: '90000' },
    })
    await ask(`/agreements/${R1.toString('hex')}/exposure`, undefined, 404)
  })
})

describe('a repo calendar', () => {
  it('shows its business dates', async () => {
    const view = await ask('/calendars/demo')
    expect(view).toMatchObject({
      calendar: 'demo',
      offset_minutes: 60,
      cutoff_minute: CUTOFF_MINUTE,
      holidays: ['2026-12-25'],
    })
    expect(Number(view.cutoff_ms)).toBeGreaterThan(Date.now() - 60_000)
    await ask('/calendars/none', undefined, 404)
  })
})

describe('drafts of repo instructions', () => {
  it('accept the JSON form of the instruction as their body', async () => {
    const id = repoIdOf(alice.id, 'R2').toString('hex')
    const draft = await ask<{ instructions: Json[] }>('/meet-margin', { id, items: [], cash: '5' })
    expect(draft.instructions).toEqual([{ MeetMargin: { id, items: [], cash: '5' } }])
    await ask('/meet-margin', { id, items: [], private_key: 'x' }, 400)
    await ask('/price', { definition: GOLD, cash: EUR, price: 'much' }, 400)
  })

  it('are simulated if an authority is given', async () => {
    const body = { id: repoIdOf(alice.id, 'R2').toString('hex') }
    const { dry_run: tried } = await ask<{ dry_run: Json }>(`/withdraw?authority=${addressOf(bob)}`, body)
    expect(JSON.stringify(tried)).not.toContain('not_permitted')
  })
})
