// Checks what the queue passes over for a while, and how it comes back.
import { describe, expect, it } from 'vitest'
import {
  drawBlock,
  PAUSE_MS,
  type PauseCause,
  type QueuedTransaction,
  TransactionQueue,
} from '../../../src/queue/index.js'
import { signedBy, testAccount, transferOf } from '../../support/chain.js'
import { drawPlace } from '../../support/lanes.js'

const alice = await testAccount('alice')
const bob = await testAccount('bob')
const TEU = 100
const TURNS = [{ lane: 0, teuCapacity: 0 }]

function queued(): QueuedTransaction {
  const { id, signedHash, bytes } = signedBy(alice, [transferOf(alice.id, bob.id, 1n)], 1)
  const route = { lane: 0, dataspace: 0n }
  return {
    id,
    signedHash,
    bytes,
    authority: alice.id,
    route,
    teu: TEU,
    work: 0,
    proofWork: 0,
    expiresAtMs: 9,
    enteredAtMs: 0,
  }
}

/** A queue of so many transactions, and what is drawn from it at a time, by their places. */
function filled(count: number, transactions = 8) {
  const all = Array.from({ length: count }, queued)
  const queue = new TransactionQueue()
  for (const one of all) queue.push(one)
  const drawn = (nowMs: number) => {
    const place = { ...drawPlace({ teu: TEU * transactions, transactions }, 0), monotonicMs: nowMs }
    return drawBlock(queue, TURNS, place).drawn.map(({ id }) => all.findIndex((one) => one.id.equals(id)))
  }
  const pause = (places: readonly number[], nowMs: number, cause: PauseCause = 'slow') => {
    for (const place of places) queue.pause(all[place]?.id ?? Buffer.alloc(32), nowMs, cause)
  }
  return { all, queue, drawn, pause }
}

describe('a queued transaction that may be included only from a future time on', () => {
  it('is skipped until then without counting as paused, and keeps its position', () => {
    const { all, queue, drawn } = filled(1)
    const late = { ...queued(), drawnFromMs: 150 }
    queue.push(late)
    const next = queued()
    queue.push(next)
    all.push(late, next)
    expect(drawn(149)).toEqual([0, 2])
    expect(queue.readyAt(149)).toEqual({ pending: true, teu: 2 * TEU })
    expect(drawn(150)).toEqual([0, 1, 2])
    expect(queue.readyAt(150)).toEqual({ pending: true, teu: 3 * TEU })
    expect(queue.pausesOf(late.id)).toBe(0)
  })

  it('does not count as pending work before that time', () => {
    const { queue } = filled(0)
    queue.push({ ...queued(), drawnFromMs: 150 })
    expect(queue.readyAt(149)).toEqual({ pending: false, teu: 0 })
    expect(queue.readyAt(150).pending).toBe(true)
  })
})

describe('a paused transaction in the queue', () => {
  it('is skipped, keeps its position, and is available again when the pause ends', () => {
    const { drawn, pause } = filled(3)
    pause([0], 1_000)
    expect(drawn(1_000)).toEqual([1, 2])
    expect(drawn(1_000 + 2 * PAUSE_MS - 1)).toEqual([1, 2])
    expect(drawn(1_000 + 2 * PAUSE_MS)).toEqual([0, 1, 2])
  })

  it('is paused twice as long each time, and reports during a pause do not count', () => {
    const { queue, all, pause } = filled(1)
    const id = all[0]?.id ?? Buffer.alloc(32)
    let nowMs = 0
    for (const factor of [2, 4, 8, 16]) {
      for (let copy = 0; copy < 5; copy++) pause([0], nowMs)
      nowMs += factor * PAUSE_MS
      expect([queue.isPaused(id, nowMs - 1), queue.isPaused(id, nowMs)]).toEqual([true, false])
    }
    expect(queue.pausesOf(id)).toBe(4)
  })

  it('is never paused longer than 68 minutes', () => {
    const { queue, all, pause } = filled(1)
    const id = all[0]?.id ?? Buffer.alloc(32)
    let nowMs = 0
    for (let time = 0; time < 40; time++) {
      pause([0], nowMs)
      nowMs += 4_096 * PAUSE_MS
      expect(queue.isPaused(id, nowMs)).toBe(false)
    }
  })

  it('is paused for at most 8 s if its block had no slow transaction, and the pause is still counted', () => {
    const { queue, all, pause } = filled(1)
    const id = all[0]?.id ?? Buffer.alloc(32)
    let nowMs = 0
    for (const factor of [2, 4, 8, 8, 8]) {
      pause([0], nowMs, 'shared')
      nowMs += factor * PAUSE_MS
      expect([queue.isPaused(id, nowMs - 1), queue.isPaused(id, nowMs)]).toEqual([true, false])
    }
    expect(queue.pausesOf(id)).toBe(5)
    // Slow by itself after all: as long as its count says.
    pause([0], nowMs)
    expect([queue.isPaused(id, nowMs + 64 * PAUSE_MS - 1), queue.isPaused(id, nowMs + 64 * PAUSE_MS)]).toEqual([
      true,
      false,
    ])
  })

  it('has no pause and no count after it has left the queue', () => {
    const { queue, all, pause } = filled(1)
    const [one] = all
    if (one === undefined) throw new Error('the queue is empty')
    pause([0], 0)
    queue.remove(one.id)
    pause([0], 0)
    queue.push(one)
    expect([queue.isPaused(one.id, 0), queue.pausesOf(one.id), queue.readyAt(0)]).toEqual([
      false,
      0,
      { pending: true, teu: TEU },
    ])
  })
})

describe('a queue that contains only paused transactions', () => {
  it('has no pending work until the first pause ends', () => {
    const { queue, drawn, pause } = filled(2)
    pause([0], 0)
    expect(queue.readyAt(0)).toEqual({ pending: true, teu: TEU })
    pause([1], 500)
    expect(queue.readyAt(500)).toEqual({ pending: false, teu: 0 })
    expect(drawn(500)).toEqual([])
    expect(queue.readyAt(2 * PAUSE_MS - 1).pending).toBe(false)
    expect(queue.readyAt(2 * PAUSE_MS)).toEqual({ pending: true, teu: TEU })
    expect(queue.readyAt(500 + 2 * PAUSE_MS)).toEqual({ pending: true, teu: 2 * TEU })
  })

  it('updates the costs of paused transactions', () => {
    const { queue, all, pause } = filled(2)
    pause([0], 0)
    queue.reprice(new Map(all.map(({ id }) => [id.toString('latin1'), { teu: 3 * TEU, work: 0, proofWork: 0 }])))
    expect(queue.readyAt(0).teu).toBe(3 * TEU)
    expect(queue.readyAt(2 * PAUSE_MS).teu).toBe(6 * TEU)
  })
})

describe('transactions that were too slow as a set', () => {
  it('return in half a block, and in half of that after the next time', () => {
    const { drawn, pause } = filled(8)
    const all = [0, 1, 2, 3, 4, 5, 6, 7]
    pause(all, 0)
    expect(drawn(2 * PAUSE_MS)).toEqual([0, 1, 2, 3])
    pause([0, 1, 2, 3], 2 * PAUSE_MS)
    expect(drawn(6 * PAUSE_MS)).toEqual([0, 1])
  })

  it('are never excluded permanently, even after many pauses of the same transaction', () => {
    const { drawn, pause } = filled(8)
    let nowMs = 0
    for (let time = 1; time <= 20; time++) {
      pause([0], nowMs)
      nowMs += 4_096 * PAUSE_MS
    }
    expect(drawn(nowMs)).toEqual([0])
  })

  it('do not end a block that is too small for one of them', () => {
    const { drawn, pause } = filled(8)
    pause([6], 0)
    expect(drawn(2 * PAUSE_MS)).toEqual([0, 1, 2, 3, 4, 5, 7])
  })
})
