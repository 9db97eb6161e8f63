/** Slots of requests to hosts that strangers name: shared by host and by the pace of owners, and what waits for them is bounded. */
import { describe, expect, it } from 'vitest'
import { OwnerSlots, SLOW_MS } from '../../../src/network/outbound/owner-slots.js'
import { Slots } from '../../../src/network/outbound/slots.js'

/** Work that ends on request. */
function held() {
  const ends: (() => void)[] = []
  const work = (): Promise<string> => new Promise((resolve) => ends.push(() => resolve('done')))
  return { work, ends }
}

it('the outbound slots refuse excess queued requests, and accept requests again once some have run', async () => {
  const slots = new Slots({ total: 2, perParty: 1, waiting: 3, waitingPerParty: 3 })
  const { work, ends } = held()
  const running = slots.run('hangs.example', work)
  const waiting = [1, 2, 3].map(() => slots.run('hangs.example', work))
  expect(await slots.run('hangs.example', work)).toBeUndefined()
  expect(await slots.run('other.example', work)).toBeUndefined()
  expect(ends).toHaveLength(1)
  ends[0]?.()
  expect(await running).toBe('done')
  // One of those that waited runs now, and there is room for another, of another host.
  const other = slots.run('other.example', async () => 'at once')
  expect(await other).toBe('at once')
  for (let at = 1; at <= 3; at += 1) {
    await new Promise((resolve) => setImmediate(resolve))
    ends[at]?.()
  }
  expect(await Promise.all(waiting)).toEqual(['done', 'done', 'done'])
})

describe('outbound requests of hook owners', () => {
  let nowMs = 0
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
  const owner = (id: string, isOperator = false) => ({ id, isOperator })
  /** Runs a request of an owner that takes a time. */
  const taking = (slots: OwnerSlots, id: string, ms: number) =>
    slots.run(owner(id), async () => {
      nowMs += ms
    })
  /** Starts requests that hang; gives how many run. */
  const hanging = (slots: OwnerSlots, ids: readonly string[], each: number): (() => number) => {
    let running = 0
    for (const id of ids) {
      for (let index = 0; index < each; index += 1) {
        void slots.run(owner(id), () => {
          running += 1
          return new Promise<void>(() => undefined)
        })
      }
    }
    return () => running
  }
  const names = (what: string, count: number) => Array.from({ length: count }, (_, index) => `${what} ${index}`)

  it('with slow endpoints share slots with each other, and do not block fast endpoints', async () => {
    const slots = new OwnerSlots(() => nowMs)
    const slow = names('slow', 100)
    for (const id of slow) await taking(slots, id, SLOW_MS)
    await taking(slots, 'fast', 1)
    const running = hanging(slots, slow, 16)
    await settle()
    expect(running()).toBe(16)
    expect(await slots.run(owner('fast'), async () => 'sent')).toBe('sent')
  })

  it('use one slot for each new owner, and reserved slots for operators', async () => {
    const slots = new OwnerSlots(() => nowMs)
    const running = hanging(slots, names('new', 3), 5)
    await settle()
    expect(running()).toBe(3)
    hanging(slots, names('newer', 100), 5)
    expect(await slots.run(owner('operator', true), async () => 'sent')).toBe('sent')
  })

  it('regain their slots when the endpoint becomes fast again', async () => {
    const slots = new OwnerSlots(() => nowMs)
    for (const ms of [1, SLOW_MS, 1]) await taking(slots, 'one', ms)
    const running = hanging(slots, ['one'], 20)
    await settle()
    expect(running()).toBe(8)
  })
})
