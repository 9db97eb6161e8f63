/** Deliveries of a webhook: every event at least once, in order, whatever the endpoint answers and whenever the node ends. */
import { setImmediate as turn } from 'node:timers/promises'
import { Registry } from 'prom-client'
import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Caller } from '../../../src/api/handler.js'
import { Feed } from '../../../src/events/feed.js'
import { Walks } from '../../../src/events/walks.js'
import { DeadMessages } from '../../../src/features/webhooks/node/dead-messages.js'
import { Hooks } from '../../../src/features/webhooks/node/hooks.js'
import { HOOKS_OF_OPERATORS, STORE_WAIT_MS, WINDOW } from '../../../src/features/webhooks/node/limits.js'
import { webhookMetrics } from '../../../src/features/webhooks/node/metrics.js'
import { HookRecords } from '../../../src/features/webhooks/node/records.js'
import { EventSource } from '../../../src/features/webhooks/node/source.js'
import {
  type CreateWebhook,
  DEAD_LETTERS_MAX,
  HOOKS_MAX,
  type WebhookView,
} from '../../../src/features/webhooks/schema.js'
import { LedgerError } from '../../../src/model/index.js'
import type { Outbound, OutboundAnswer, OutboundRequest } from '../../../src/network/outbound/outbound.js'
import type { IntegrationStore } from '../../../src/storage/integration-store.js'
import { MemoryStore } from '../../support/memory-store.js'
import { pause } from '../../support/ports.js'
import { blockAt, moved } from '../gateway/fake-chain.js'
import { accountOf, alice, bob, CODEC, FakeNode } from '../gateway/support.js'

const SECRET = Buffer.alloc(32, 9)
const OK: OutboundAnswer = { kind: 'answered', status: 204, retryAfterMs: undefined }
const status = (code: number, retryAfterMs?: number): OutboundAnswer => ({
  kind: 'answered',
  status: code,
  retryAfterMs,
})
const DOWN: OutboundAnswer = { kind: 'failed', reason: 'network' }
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** An endpoint that answers as a test says, and remembers what it was sent. */
class Endpoint {
  readonly got: {
    readonly id: string
    readonly headers: Record<string, string>
    readonly body: string
    readonly atMs: number
  }[] = []
  answer: (request: OutboundRequest, count: number) => OutboundAnswer | Promise<OutboundAnswer> = () => OK
  open = 0
  mostOpen = 0

  readonly outbound = {
    urlFault: (url: string) => (url.startsWith('https://') ? undefined : 'not https'),
    post: async (request: OutboundRequest): Promise<OutboundAnswer> => {
      const id = request.headers['webhook-id'] ?? ''
      this.got.push({
        id,
        headers: { ...request.headers },
        body: Buffer.from(request.body).toString(),
        atMs: Date.now(),
      })
      this.open += 1
      this.mostOpen = Math.max(this.mostOpen, this.open)
      // An answer takes a while: others may be sent meanwhile.
      await pause(1)
      const answer = await this.answer(request, this.got.length)
      this.open -= 1
      return answer
    },
  } as unknown as Outbound

  /** Places of the events in the order of their first delivery. */
  get firsts(): string[] {
    return [...new Set(this.got.map(({ id }) => id.split('_').slice(2).join('.')))]
  }
}

const by = (pair: typeof alice, operator = false): Caller => ({ kind: 'account', account: accountOf(pair), operator })
const ASKED: CreateWebhook = { url: 'https://bank.example/', filters: [], from: undefined }
const kind = (name: string): CreateWebhook['filters'][number] => ({
  category: undefined,
  subject: undefined,
  account: undefined,
  asset: undefined,
  domain: undefined,
  transaction: undefined,
  block: undefined,
  status: undefined,
  lane: undefined,
  dataspace: undefined,
  kind: name,
})
const TRANSFERS: CreateWebhook = { ...ASKED, filters: [kind('Transferred')] }

let disk: Map<string, Buffer>
let node: FakeNode
let endpoint: Endpoint
let store: IntegrationStore
let hooks: Hooks
const errors: unknown[] = []
/** An account that may have no hooks. */
const OUTSIDER = 'f'.repeat(32)

/** Starts the service on what the folder holds, as a node does. */
async function start(secret = SECRET): Promise<void> {
  store = new MemoryStore(disk, secret)
  const { services } = node
  hooks = new Hooks({
    services,
    feed: new Feed(services.history, CODEC),
    records: new HookRecords(store, CODEC),
    outbound: endpoint.outbound,
    metrics: webhookMetrics(new Registry()),
    owners: { has: async (one) => one !== OUTSIDER },
    operators: { has: () => false },
    wallMs: () => Date.now(),
    monotonicMs: () => performance.now(),
    random: () => 0.5,
    onError: (error) => errors.push(error),
  })
  await hooks.start()
}
/** Ends it at once, as a crash does: what is under way is forgotten. */
async function crash(): Promise<void> {
  await store.close()
}
async function create(
  asked: CreateWebhook = TRANSFERS,
  caller = by(alice),
): Promise<{ view: WebhookView; secret: string }> {
  const made = await hooks.create(caller, asked, node.services)
  if (made instanceof LedgerError) throw made
  return made
}
const runnerOf = (id: string) => {
  const hook = hooks.find(by(alice, true), id)
  if (hook instanceof LedgerError) throw hook
  return hook
}
const viewOf = (id: string): WebhookView => hooks.view(runnerOf(id))
/** Blocks from the tip on, each with as many transfers. */
async function commit(blocks: number, transfers = 1): Promise<void> {
  for (let at = 0; at < blocks; at += 1) {
    const height = node.services.height() + 1
    node.commit(
      await blockAt(
        height,
        Array.from({ length: transfers }, (_, number) => [moved(BigInt(number + 1))]),
      ),
    )
  }
  hooks.wake()
}
/** Turns of the loop in which a hook reads as many blocks as its window has events, and parts of a time that begin with so many. */
const TURNS = 2 * WINDOW
const PARTS = 4
/** Lets time pass. */
async function pass(ms: number): Promise<void> {
  const step = Math.ceil(ms / PARTS)
  for (let left = ms; left > 0; left -= step) {
    for (let at = 0; at < TURNS; at += 1) await turn()
    await vi.advanceTimersByTimeAsync(Math.min(step, left))
  }
}
/** Lets it go on until a condition holds. */
async function until(condition: () => boolean): Promise<void> {
  for (let turn = 0; !condition(); turn += 1) {
    if (turn > 20_000) throw new Error('waited in vain')
    await pass(1)
  }
}

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] })
  disk = new Map()
  node = new FakeNode()
  endpoint = new Endpoint()
  errors.length = 0
  await start()
})
afterEach(async () => {
  await pass(10)
  vi.useRealTimers()
  await hooks.stop()
  await store.close()
})

describe('a responsive webhook endpoint', () => {
  it('receives each event that matches its filters once, in order, with a valid signature', async () => {
    const { view, secret } = await create()
    await commit(5, 3)
    await until(() => viewOf(view.id).delivered === 15)
    expect(endpoint.firsts).toEqual(
      [8, 9, 10, 11, 12].flatMap((height) => [0, 2, 4].map((number) => `${height}.${number}`)),
    )
    expect(endpoint.got).toHaveLength(15)
    const webhook = new Webhook(secret)
    for (const { headers, body } of endpoint.got) {
      vi.setSystemTime(Number(headers['webhook-timestamp']) * 1_000)
      expect(webhook.verify(body, headers)).toMatchObject({ type: 'ledger.asset.Transferred', chain: 'test-chain' })
    }
    expect(errors).toEqual([])
  })

  it('receives at most one window of events at a time, and never uncommitted events', async () => {
    await create(ASKED)
    await commit(1, 50)
    await until(() => endpoint.got.length === 101)
    expect(endpoint.mostOpen).toBe(WINDOW)
  })

  it('receives events from the requested height on, including old blocks', async () => {
    await commit(4)
    await create({ ...TRANSFERS, from: 9 })
    await until(() => endpoint.got.length === 3)
    expect(endpoint.firsts).toEqual(['9.0', '10.0', '11.0'])
  })

  it('is notified of a gap if the node no longer stores some blocks', async () => {
    await commit(4)
    node.blocks.splice(0, 2)
    await create({ ...TRANSFERS, from: 8 })
    await until(() => endpoint.got.length === 3)
    expect(endpoint.firsts).toEqual(['gap.8.9', '10.0', '11.0'])
    expect(JSON.parse(endpoint.got[0]?.body ?? '')).toMatchObject({ type: 'stream.gap', data: { from: 8, to: 9 } })
  })
})

describe('the event source of a webhook', () => {
  it('buffers at most one window of events, and returns each once in order for blocks of any size', async () => {
    await commit(3, 3 * WINDOW + 1)
    await commit(4, 1)
    const source = new EventSource(
      {
        walks: new Walks(),
        feed: new Feed(node.services.history, CODEC),
        filters: [],
        chain: 'c',
        tip: () => node.services.height(),
        wallMs: () => 0,
      },
      { height: 1, number: 0 },
    )
    const got: string[] = []
    let most = 0
    while (await source.read()) {
      let taken = 0
      for (let one = source.take(); one !== undefined; one = source.take()) {
        got.push(one.message.event)
        taken += 1
      }
      most = Math.max(most, taken)
    }
    const all = (await new Feed(node.services.history, CODEC).from(1)).length
    expect(all).toBeGreaterThan(0)
    expect(most).toBe(WINDOW)
    expect(new Set(got).size).toBe(got.length)
    const places = got.filter((id) => !id.startsWith('gap')).map((id) => id.split('.').map(Number) as [number, number])
    expect(places).toEqual([...places].sort(([a, b], [c, d]) => a - c || b - d))
    expect(got.length).toBeGreaterThan(3 * (3 * WINDOW + 1) + 4)
  })
})

describe('an unreachable webhook endpoint', () => {
  it.each([
    ['no response', DOWN],
    ['408', status(408)],
    ['429', status(429)],
    ['500', status(500)],
    ['503', status(503)],
  ])('receives every event after it has recovered from %s', async (_name, answer) => {
    endpoint.answer = () => answer
    const { view } = await create()
    await commit(20)
    await pass(10 * MINUTE_MS)
    expect(viewOf(view.id)).toMatchObject({ state: 'active', delivered: 0, dead: 0, cursor: { height: 8, number: 0 } })
    endpoint.answer = () => OK
    await pass(20 * MINUTE_MS)
    expect(viewOf(view.id)).toMatchObject({ delivered: 20, dead: 0, failingSinceMs: undefined, reason: undefined })
    expect(endpoint.firsts).toEqual(Array.from({ length: 20 }, (_, at) => `${at + 8}.0`))
  })

  it('is retried one event at a time, after 5 s, 10 s and so on up to 15 minutes', async () => {
    endpoint.answer = () => DOWN
    await create()
    await commit(20)
    await pass(2_000)
    const first = endpoint.got.length
    expect(first).toBe(WINDOW)
    await pass(80 * MINUTE_MS)
    const later = endpoint.got.slice(first)
    expect(new Set(later.map(({ id }) => id.split('_')[2]))).toEqual(new Set(['8']))
    const waits = later.map(({ atMs }, at) =>
      Math.round((atMs - (later[at - 1]?.atMs ?? endpoint.got[0]!.atMs)) / 1_000),
    )
    expect(waits.slice(0, 6)).toEqual([5, 10, 20, 40, 80, 160])
    expect(Math.max(...waits)).toBeLessThanOrEqual(901)
  })

  it('is not called during the delay that it requests, up to one hour', async () => {
    endpoint.answer = () => status(503, 600_000)
    await create()
    await commit(1)
    await pass(9 * MINUTE_MS)
    expect(endpoint.got).toHaveLength(1)
    endpoint.answer = () => status(503, 10 * 3_600_000)
    await pass(2 * MINUTE_MS)
    expect(endpoint.got).toHaveLength(2)
    await pass(62 * MINUTE_MS)
    expect(endpoint.got).toHaveLength(3)
  })

  it('is disabled after five days, and resumes from its cursor once it is enabled', async () => {
    endpoint.answer = () => DOWN
    const { view } = await create()
    await commit(3)
    await pass(1_000)
    await pass(5 * DAY_MS - MINUTE_MS)
    expect(viewOf(view.id).state).toBe('active')
    await pass(30 * MINUTE_MS)
    expect(viewOf(view.id)).toMatchObject({ state: 'disabled', cursor: { height: 8, number: 0 } })
    endpoint.answer = () => OK
    await commit(1)
    await pass(20 * MINUTE_MS)
    expect(viewOf(view.id).delivered).toBe(0)
    await runnerOf(view.id).runner.enable()
    await until(() => viewOf(view.id).delivered === 4)
    expect(endpoint.firsts).toEqual(['8.0', '9.0', '10.0', '11.0'])
  })

  it('is disabled after five days, even across a restart', async () => {
    endpoint.answer = () => DOWN
    const { view } = await create()
    await commit(1)
    await pass(3 * DAY_MS)
    await hooks.stop()
    await store.close()
    await start()
    await pass(2 * DAY_MS - MINUTE_MS)
    expect(viewOf(view.id).state).toBe('active')
    await pass(30 * MINUTE_MS)
    expect(viewOf(view.id).state).toBe('disabled')
  })

  it.each([
    ['back by an hour', -3_600_000],
    ['back by a month', -30 * DAY_MS],
    ['forward by five days', 5 * DAY_MS],
  ])('is retried after its delay even if the wall clock is set %s', async (_name, byMs) => {
    endpoint.answer = () => DOWN
    const { view } = await create()
    await commit(1)
    await pass(1_000)
    expect(endpoint.got).toHaveLength(1)
    vi.setSystemTime(Date.now() + byMs)
    await commit(1)
    await pass(3_000)
    expect(endpoint.got).toHaveLength(1)
    await pass(3_000)
    expect(endpoint.got).toHaveLength(2)
    expect(viewOf(view.id).state).toBe('active')
    endpoint.answer = () => OK
    await pass(11_000)
    expect(viewOf(view.id)).toMatchObject({ state: 'active', delivered: 2 })
  })

  it('that responds with 410 Gone is not called again', async () => {
    endpoint.answer = () => status(410)
    const { view } = await create()
    await commit(1)
    await pass(MINUTE_MS)
    expect([viewOf(view.id).state, endpoint.got.length]).toEqual(['disabled', 1])
  })
})

describe('an event refused by the webhook endpoint', () => {
  it.each([301, 400, 404, 422])(
    'with %i is set aside after three attempts, and the others continue in order',
    async (code) => {
      endpoint.answer = ({ headers }) => (headers['webhook-id']?.endsWith('_9_0') === true ? status(code) : OK)
      const { view } = await create()
      await commit(4)
      await pass(2 * MINUTE_MS)
      expect(viewOf(view.id)).toMatchObject({ delivered: 3, dead: 1, state: 'active' })
      const times = endpoint.got.filter(({ id }) => id.endsWith('_9_0')).map(({ atMs }) => atMs)
      expect(times.map((atMs, at) => Math.round((atMs - (times[at - 1] ?? atMs)) / 1_000))).toEqual([0, 5, 30])
      const { runner } = runnerOf(view.id)
      expect(runner.deadLetters).toMatchObject([
        { event: '9.0', type: 'ledger.asset.Transferred', attempts: 3, status: code },
      ])
    },
  )

  it('remains set aside after a restart, and can be discarded on request', async () => {
    endpoint.answer = () => status(400)
    const { view } = await create()
    await commit(1)
    await pass(2 * MINUTE_MS)
    await hooks.stop()
    await store.close()
    await start()
    const { runner } = runnerOf(view.id)
    expect(runner.deadLetters).toMatchObject([{ event: '8.0' }])
    await runner.removeLetter(runner.deadLetters[0]!)
    await hooks.stop()
    await store.close()
    await start()
    expect(viewOf(view.id).dead).toBe(0)
  })

  it('can be sent again on request, including a gap event with its original heights', async () => {
    endpoint.answer = ({ headers }) => (headers['webhook-id']?.includes('_gap_') === true ? status(400) : OK)
    await commit(4)
    node.blocks.splice(0, 2)
    const { view } = await create({ ...TRANSFERS, from: 8 })
    await pass(2 * MINUTE_MS)
    const { runner } = runnerOf(view.id)
    const [letter] = runner.deadLetters
    expect([viewOf(view.id).delivered, letter]).toMatchObject([2, { event: 'gap_8_9', type: 'stream.gap' }])
    const message = await new DeadMessages(new Feed(node.services.history, CODEC), 'bank').of(letter!)
    if (message instanceof LedgerError) throw message
    expect(JSON.parse(message.body)).toMatchObject({ type: 'stream.gap', data: { from: 8, to: 9 } })
    endpoint.answer = () => OK
    const sent = runner.redeliver(letter!, message)
    await pass(1_000)
    expect([(await sent).result, runner.deadLetters]).toEqual(['delivered', []])
    expect(endpoint.got.at(-1)?.id).toBe(endpoint.got[0]?.id)
  })

  it('can be sent again only one at a time, like a test of the endpoint', async () => {
    const { view } = await create()
    const { runner } = runnerOf(view.id)
    const message = { event: 'test_1', type: 'webhook.test', body: '{}' }
    const first = runner.asked(message)
    await expect(runner.asked(message)).rejects.toMatchObject({ code: 'rate_limited' })
    await pass(1_000)
    expect((await first).result).toBe('delivered')
    const next = runner.asked(message)
    await pass(1_000)
    expect((await next).result).toBe('delivered')
  })

  it('stops deliveries at a thousand set-aside events; they resume without loss once one is discarded', async () => {
    endpoint.answer = ({ headers }) => (headers['webhook-id']?.endsWith('_8_0') === true ? status(400) : OK)
    const { view } = await create()
    const { runner } = runnerOf(view.id)
    const letters = Array.from({ length: DEAD_LETTERS_MAX - 1 }, (_, at) => ({
      event: `1.${at}`,
      type: 'ledger.asset.Transferred',
      attempts: 3,
      status: 400,
      atMs: Date.now(),
    }))
    await new HookRecords(store, CODEC).move(view.id, runner.at, letters)
    await crash()
    await start()
    await commit(1)
    await pass(2 * MINUTE_MS)
    expect(viewOf(view.id)).toMatchObject({ state: 'disabled', dead: DEAD_LETTERS_MAX, delivered: 0 })
    await commit(2)
    await pass(2 * MINUTE_MS)
    expect(viewOf(view.id)).toMatchObject({ delivered: 0, reason: `the endpoint refused ${DEAD_LETTERS_MAX} events` })
    const again = runnerOf(view.id).runner
    await expect(again.enable()).rejects.toMatchObject({ code: 'webhook_dead_letters' })
    await again.removeLetter(again.deadLetters[0]!)
    await again.enable()
    await pass(2 * MINUTE_MS)
    expect(viewOf(view.id)).toMatchObject({ state: 'active', dead: DEAD_LETTERS_MAX - 1, delivered: 2 })
  })
})

describe('webhooks on a restarted node', () => {
  it('deliver every event in order, and repeat only few of them', async () => {
    endpoint.answer = () => OK
    const { view } = await create()
    const all: string[] = []
    for (let run = 0; run < 10; run += 1) {
      const before = endpoint.got.length
      await commit(4, 5)
      await until(() => endpoint.got.length >= before + 7 + run)
      await crash()
      await pass(5)
      all.push(...endpoint.got.splice(0).map(({ id }) => id))
      errors.length = 0
      await start()
    }
    await until(() => viewOf(view.id).lagBlocks === 0 && endpoint.open === 0)
    all.push(...endpoint.got.map(({ id }) => id))
    const wanted = Array.from({ length: 40 }, (_, block) =>
      [0, 2, 4, 6, 8].map((number) => `evt_${view.id}_${block + 8}_${number}`),
    ).flat()
    expect([...new Set(all)]).toEqual(wanted)
    expect(all.length - wanted.length).toBeLessThanOrEqual(10 * WINDOW)
  })

  it('cannot deliver with another network key, but remain stored until they are removed', async () => {
    const { view } = await create()
    await hooks.stop()
    await store.close()
    await start(Buffer.alloc(32, 10))
    await commit(2)
    await pass(MINUTE_MS)
    expect([viewOf(view.id).state, endpoint.got.length]).toEqual(['sealedLost', 0])
    expect(hooks.findReadable(by(alice), view.id)).toMatchObject({ code: 'webhook_sealed_lost' })
    await hooks.remove(runnerOf(view.id))
    expect(hooks.list(by(alice, true))).toEqual([])
  })

  it('have no unencrypted secret on disk', async () => {
    const { secret } = await create()
    const bytes = Buffer.from(secret.slice('whsec_'.length), 'base64')
    for (const [, value] of await store.list('webhook:')) expect(value.includes(bytes)).toBe(false)
  })
})

describe('concurrent and late changes of a webhook', () => {
  it('are all kept if made at the same time, also on disk', async () => {
    endpoint.answer = () => DOWN
    const { view, secret: first } = await create()
    await commit(1)
    await until(() => endpoint.got.length === 1)
    const [{ secret }] = await Promise.all([hooks.rotate(runnerOf(view.id)), pass(10)])
    const [{ secret: newest }] = await Promise.all([hooks.rotate(runnerOf(view.id)), runnerOf(view.id).runner.pause()])
    await hooks.stop()
    await store.close()
    await start()
    expect(viewOf(view.id)).toMatchObject({ state: 'disabled', reason: 'paused' })
    endpoint.answer = () => OK
    await runnerOf(view.id).runner.enable()
    await until(() => viewOf(view.id).delivered === 1)
    const { headers, body } = endpoint.got.at(-1)!
    vi.setSystemTime(Number(headers['webhook-timestamp']) * 1_000)
    for (const one of [first, secret, newest]) expect(() => new Webhook(one).verify(body, headers)).not.toThrow()
    expect(headers['webhook-signature']?.split(' ')).toHaveLength(3)
  })

  it('are refused after its removal, which deletes all of its data', async () => {
    const { view } = await create()
    const hook = runnerOf(view.id)
    await hooks.remove(hook)
    await expect(hook.runner.enable()).rejects.toMatchObject({ code: 'not_found' })
    await expect(hooks.rotate(hook)).rejects.toMatchObject({ code: 'not_found' })
    expect(await store.list('')).toEqual([])
  })

  it('do not affect other webhooks if its record cannot be read', async () => {
    const { view } = await create()
    const other = await create()
    await hooks.stop()
    await store.close()
    disk.delete(`webhook:c:${view.id}`)
    await start()
    expect(hooks.list(by(alice, true)).map(({ id }) => id)).toEqual([other.view.id])
    expect(errors.splice(0)).toMatchObject([{ message: `cannot read webhook ${view.id}` }])
  })
})

describe('a long chain without matching events', () => {
  it('does not delay the stop of a webhook, and the cursor advances', async () => {
    for (let at = 0; at < 1_500; at += 1) node.commit(await blockAt(at + 8, []))
    let reads = 0
    let release = (): void => {}
    node.onRead = async () => {
      reads += 1
      if (reads === 3) await new Promise<void>((resolve) => (release = resolve))
    }
    const { view } = await create({ ...TRANSFERS, from: 8 })
    await until(() => reads === 3)
    const ended = hooks.stop()
    release()
    await ended
    expect(reads).toBe(3)
    await store.close()
    await start()
    await until(() => viewOf(view.id).lagBlocks === 0)
    expect(viewOf(view.id).cursor).toEqual({ height: 1_508, number: 0 })
  })
})

describe('the rotation of a webhook secret', () => {
  it('signs with both secrets for a day, also after a restart, and then only with the new secret', async () => {
    const { view, secret } = await create()
    const { secret: fresh } = await hooks.rotate(runnerOf(view.id))
    await hooks.stop()
    await store.close()
    await start()
    await commit(1)
    await until(() => endpoint.got.length === 1)
    const [{ headers, body }] = endpoint.got as [(typeof endpoint.got)[number]]
    vi.setSystemTime(Number(headers['webhook-timestamp']) * 1_000)
    for (const one of [secret, fresh]) expect(() => new Webhook(one).verify(body, headers)).not.toThrow()
    vi.setSystemTime(Date.now() + DAY_MS + 2_000)
    await commit(1)
    await until(() => endpoint.got.length === 2)
    const later = endpoint.got[1]!
    expect(() => new Webhook(secret).verify(later.body, later.headers)).toThrow('No matching signature')
    expect(() => new Webhook(fresh).verify(later.body, later.headers)).not.toThrow()
  })

  it('can be repeated after a lost response, and the earlier secret stays valid until its announced time', async () => {
    const { view, secret } = await create()
    const { previousUntilMs } = await hooks.rotate(runnerOf(view.id))
    await pass(MINUTE_MS)
    await hooks.rotate(runnerOf(view.id))
    await hooks.stop()
    await store.close()
    await start()
    vi.setSystemTime(previousUntilMs - 2_000)
    await commit(1)
    await until(() => endpoint.got.length === 1)
    const [sent] = endpoint.got as [(typeof endpoint.got)[number]]
    expect(() => new Webhook(secret).verify(sent.body, sent.headers)).not.toThrow()
    vi.setSystemTime(previousUntilMs)
    await commit(1)
    await until(() => endpoint.got.length === 2)
    const later = endpoint.got[1]!
    expect(() => new Webhook(secret).verify(later.body, later.headers)).toThrow('No matching signature')
    expect(later.headers['webhook-signature']?.split(' ')).toHaveLength(2)
  })

  it('signs only with the newest secrets after many rotations', async () => {
    const { view, secret } = await create()
    const given = [secret]
    for (let at = 0; at < 6; at += 1) given.push((await hooks.rotate(runnerOf(view.id))).secret)
    await commit(1)
    await until(() => endpoint.got.length === 1)
    const [{ headers, body }] = endpoint.got as [(typeof endpoint.got)[number]]
    vi.setSystemTime(Number(headers['webhook-timestamp']) * 1_000)
    const fits = given.map((one) => {
      try {
        return new Webhook(one).verify(body, headers) !== undefined
      } catch {
        return false
      }
    })
    expect(fits).toEqual([false, false, true, true, true, true, true])
  })
})

describe('an owner of webhooks', () => {
  it('sees its own webhooks, while an operator sees all; for others they appear not to exist', async () => {
    const { view } = await create()
    await create(TRANSFERS, by(bob))
    expect(hooks.list(by(alice)).map(({ id }) => id)).toEqual([view.id])
    expect(hooks.list(by(bob, true))).toHaveLength(2)
    expect(hooks.find(by(bob), view.id)).toMatchObject({
      code: 'not_found',
      message: `webhook ${view.id} does not exist`,
    })
  })

  it('can have at most sixteen, even with concurrent requests', async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => hooks.create(by(alice), TRANSFERS, node.services)))
    expect(made.filter((one) => !(one instanceof LedgerError))).toHaveLength(16)
    expect(made.find((one) => one instanceof LedgerError)).toMatchObject({ code: 'webhook_limit' })
  })

  it('is refused without permission, and cannot use the slots reserved for operators', async () => {
    const outsider = { ...by(alice), account: OUTSIDER }
    expect(await hooks.create(outsider, TRANSFERS, node.services)).toMatchObject({ code: 'forbidden' })
    for (let index = 0; index < HOOKS_MAX - HOOKS_OF_OPERATORS; index += 1) {
      const publicKey = { algorithm: 'ed25519' as const, bytes: Buffer.alloc(32, 1 + Math.floor(index / 16)) }
      await create(TRANSFERS, by({ ...alice, publicKey }))
    }
    expect(await hooks.create(by(alice), TRANSFERS, node.services)).toMatchObject({ code: 'webhook_limit' })
    await create(TRANSFERS, by(alice, true))
  })

  it.each([
    ['another scheme', { ...ASKED, url: 'http://bank.example/' }, 'webhook_url_refused'],
    ['an unknown kind of event', { ...ASKED, filters: [kind('Transfered')] }, 'validation_failed'],
    ['events that are in no block', { ...ASKED, filters: [kind('Queued')] }, 'validation_failed'],
    ['a height above the next', { ...ASKED, from: 9 }, 'validation_failed'],
    ['height 0', { ...ASKED, from: 0 }, 'validation_failed'],
  ])('is refused for %s', async (_name, asked, code) => {
    expect(await hooks.create(by(alice), asked, node.services)).toMatchObject({ code })
    expect(hooks.list(by(alice))).toEqual([])
  })
})

describe('the webhook store', () => {
  it('pauses deliveries while writes fail, and no event is lost', async () => {
    const { view } = await create()
    await commit(2)
    await until(() => viewOf(view.id).delivered === 2)
    const { write } = store
    store.write = () => Promise.reject(new LedgerError('integrations_unavailable', 'the disk is full'))
    await commit(3)
    await pass(MINUTE_MS)
    await expect(hooks.create(by(bob), TRANSFERS, node.services)).rejects.toMatchObject({
      code: 'integrations_unavailable',
    })
    expect(hooks.list(by(bob))).toEqual([])
    store.write = write
    await pass(MINUTE_MS)
    expect(viewOf(view.id)).toMatchObject({ delivered: 5, cursor: { height: 13 } })
    expect(endpoint.firsts).toEqual([8, 9, 10, 11, 12].map((height) => `${height}.0`))
  })

  it.each([
    ['reports that it is gone', status(410), 1_000],
    ['has failed for five days', DOWN, 5 * DAY_MS - MINUTE_MS],
  ])('causes calls only at intervals if it fails to disable a webhook whose endpoint %s', async (_, answer, ms) => {
    const { view } = await create()
    const { write } = store
    const fail = () => Promise.reject(new LedgerError('integrations_unavailable', 'the disk is full'))
    const most = (40 * MINUTE_MS) / STORE_WAIT_MS + 1
    // One that is called far too often ends it.
    endpoint.answer = (_request, count) => (count > 5 * most ? OK : answer)
    if (answer === DOWN) {
      await commit(1)
      await pass(ms)
      store.write = fail
    } else {
      store.write = fail
      await commit(1)
    }
    const before = endpoint.got.length
    await pass(40 * MINUTE_MS)
    expect(viewOf(view.id).state).toBe('active')
    const called = endpoint.got.length - before
    expect(called).toBeGreaterThan(0)
    expect(called).toBeLessThanOrEqual(most)
    expect(errors.splice(0).length).toBeLessThanOrEqual(called + 1)
    store.write = write
    await pass(MINUTE_MS)
    expect(viewOf(view.id).state).toBe('disabled')
  })

  it('prevents all deliveries of a webhook that it fails to create, even if blocks arrive meanwhile', async () => {
    const { write } = store
    let fail = (): void => undefined
    store.write = () =>
      new Promise((_, reject) => {
        fail = () => reject(new LedgerError('integrations_unavailable', 'the disk is full'))
      })
    const made = hooks.create(by(alice), TRANSFERS, node.services)
    await commit(20)
    await pass(1_000)
    fail()
    await expect(made).rejects.toMatchObject({ code: 'integrations_unavailable' })
    store.write = write
    await commit(20)
    await pass(MINUTE_MS)
    expect([endpoint.got.length, hooks.list(by(alice)), await store.list('')]).toEqual([0, [], []])
  })

  it('allows another attempt if it fails to remove a webhook', async () => {
    const { view } = await create()
    const { write } = store
    store.write = () => Promise.reject(new LedgerError('integrations_unavailable', 'the disk is full'))
    await expect(hooks.remove(runnerOf(view.id))).rejects.toMatchObject({ code: 'integrations_unavailable' })
    store.write = write
    await hooks.remove(runnerOf(view.id))
    expect([hooks.list(by(alice)), await store.list('')]).toEqual([[], []])
    expect(errors.splice(0)).toHaveLength(1)
  })

  it('has only one runner for each webhook, even if it is read while webhooks are added', async () => {
    const { view } = await create()
    await commit(3)
    await hooks.start()
    await until(() => viewOf(view.id).delivered === 3)
    await pass(MINUTE_MS)
    expect(endpoint.got).toHaveLength(3)
  })
})
