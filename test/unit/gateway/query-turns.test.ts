/** Turns of what requests ask the ledger: how many at a time, whose is next, and what is never asked. */
import { describe, expect, it } from 'vitest'
import type { NodeServices } from '../../../src/api/services.js'
import { QUERIES_AT_ONCE, QueryTurns, WAITING_PER_CLIENT_MAX } from '../../../src/gateway/query-turns.js'
import { FakeNode, gatewayOf } from './support.js'

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Questions that end when the test says so, in the order in which they were asked. */
class Ledger {
  readonly asked: string[] = []
  private readonly ends: (() => void)[] = []

  ask(name: string): Promise<string> {
    this.asked.push(name)
    return new Promise((resolve) => this.ends.push(() => resolve(name)))
  }

  /** Ends the question that was asked first. */
  async answer(): Promise<void> {
    this.ends.shift()?.()
    await settle()
  }
}

const present = (client: string) => ({ client, isOperator: false, isOver: () => false })

describe('ledger queries of gateway requests', () => {
  it('run a few at a time, and the next one starts when one is done', async () => {
    const [turns, ledger] = [new QueryTurns(), new Ledger()]
    const names = Array.from({ length: QUERIES_AT_ONCE + 2 }, (_, index) => `q${index}`)
    const answers = names.map((name) => turns.take(present(name), () => ledger.ask(name)))
    await settle()
    expect(ledger.asked).toEqual(names.slice(0, QUERIES_AT_ONCE))
    for (const at of [1, 2]) {
      await ledger.answer()
      expect(ledger.asked).toEqual(names.slice(0, QUERIES_AT_ONCE + at))
    }
    for (const _ of names) await ledger.answer()
    expect(await Promise.all(answers)).toEqual(names)
  })

  it('from a busy client use one slot, so that other clients do not wait', async () => {
    const [turns, ledger] = [new QueryTurns(), new Ledger()]
    const ask = (client: string, name: string) => void turns.take(present(client), () => ledger.ask(name))
    for (let index = 0; index < 50; index += 1) ask('flood', `flood ${index}`)
    ask('other', 'other 0')
    ask('other', 'other 1')
    await settle()
    expect(ledger.asked).toEqual(['flood 0', 'other 0'])
    for (let index = 0; index < 2; index += 1) await ledger.answer()
    expect(ledger.asked).toEqual(['flood 0', 'other 0', 'flood 1', 'other 1'])
  })

  it('start in the order of the clients if there are more clients than slots', async () => {
    const [turns, ledger] = [new QueryTurns(), new Ledger()]
    const clients = Array.from({ length: 3 * QUERIES_AT_ONCE }, (_, index) => `c${index}`)
    for (const client of clients) {
      for (const name of ['a', 'b']) void turns.take(present(client), () => ledger.ask(client + name))
    }
    for (const _ of clients) await ledger.answer()
    expect(ledger.asked.slice(0, clients.length)).toEqual(clients.map((client) => `${client}a`))
  })

  it('from operators never wait for queries of clients', async () => {
    const [turns, ledger] = [new QueryTurns(), new Ledger()]
    for (let index = 0; index < 3 * QUERIES_AT_ONCE; index += 1) {
      void turns.take(present(`c${index}`), () => ledger.ask('client'), 'long')
      void turns.take(present(`d${index}`), () => ledger.ask('client'))
    }
    void turns.take({ ...present('operator'), isOperator: true }, () => ledger.ask('operator'), 'long')
    await settle()
    expect(ledger.asked).toContain('operator')
  })

  it('do not run if the request has ended, and release their slot', async () => {
    const [turns, ledger] = [new QueryTurns(), new Ledger()]
    let isGone = false
    const gone = { ...present('gone'), isOver: () => isGone }
    for (let index = 0; index < QUERIES_AT_ONCE; index += 1) {
      void turns.take(present(`busy ${index}`), () => ledger.ask('busy'))
    }
    const left = turns.take(gone, () => ledger.ask('gone'))
    const stays = turns.take(present('stays'), () => ledger.ask('stays'))
    isGone = true
    const refused = expect(left).rejects.toMatchObject({ code: 'request_timeout' })
    await ledger.answer()
    await refused
    expect(ledger.asked.at(-1)).toBe('stays')
    await expect(turns.take(gone, () => ledger.ask('gone'))).rejects.toMatchObject({ code: 'request_timeout' })
    for (let index = 0; index < QUERIES_AT_ONCE; index += 1) await ledger.answer()
    expect(await stays).toBe('stays')
    expect(ledger.asked).not.toContain('gone')
  })

  it('run one at a time if they are long, in parallel with short ones', async () => {
    const [turns, ledger] = [new QueryTurns(), new Ledger()]
    for (const client of ['one', 'two']) void turns.take(present(client), () => ledger.ask(`long of ${client}`), 'long')
    void turns.take(present('three'), () => ledger.ask('short'))
    await settle()
    expect(ledger.asked).toEqual(['long of one', 'short'])
    await ledger.answer()
    expect(ledger.asked).toEqual(['long of one', 'short', 'long of two'])
  })

  it('release their slot if they fail', async () => {
    const turns = new QueryTurns()
    const failing = Array.from({ length: 3 * QUERIES_AT_ONCE }, () =>
      turns.take(present('one'), () => Promise.reject(new Error('no'))),
    )
    const results = await Promise.allSettled(failing)
    expect(results.every(({ status }) => status === 'rejected')).toBe(true)
    expect(await turns.take(present('one'), async () => 'yes')).toBe('yes')
  })

  it('of one client have a bounded queue, and other clients still get a slot', async () => {
    const [turns, ledger] = [new QueryTurns(), new Ledger()]
    for (let index = 0; index < 1 + WAITING_PER_CLIENT_MAX; index += 1) {
      void turns.take(present('flood'), () => ledger.ask('flood'))
    }
    await expect(turns.take(present('flood'), () => ledger.ask('flood'))).rejects.toMatchObject({
      code: 'rate_limited',
    })
    void turns.take(present('other'), () => ledger.ask('other'))
    await ledger.answer()
    await ledger.answer()
    expect(ledger.asked).toContain('other')
  })
})

it.each([
  ['requests', 'GET', '/v1/domains?limit=1'],
  ['filters of event streams', 'HEAD', '/v1/events/sse?account=alice%40d000'],
] as const)('concurrent %s reach the ledger a few at a time', async (_, method, url) => {
  const node = new FakeNode()
  const pending: (() => void)[] = []
  let [now, most] = [0, 0]
  const query: NodeServices['query'] = async (def, input) => {
    now += 1
    most = Math.max(most, now)
    await new Promise<void>((resolve) => pending.push(resolve))
    now -= 1
    return node.services.query(def, input)
  }
  const gateway = gatewayOf(node, {}, { services: { ...node.services, query } })
  const answers = Array.from({ length: 3 * QUERIES_AT_ONCE }, (_, index) =>
    gateway.inject({ method, url, remoteAddress: `127.0.0.${index + 1}` }),
  )
  let isDone = false
  const all = Promise.all(answers).finally(() => {
    isDone = true
  })
  while (!isDone) {
    await settle()
    pending.shift()?.()
  }
  expect((await all).map(({ statusCode }) => statusCode)).toEqual(Array(answers.length).fill(200))
  expect(most).toBe(QUERIES_AT_ONCE)
})
