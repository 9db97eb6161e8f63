// Holds the service order inside a lane against a naive one, and against its bound: a transaction with `a` of its own
// account ahead of it, among `A` accounts that wait in its lane, is served at the latest as number (a + 1) * A.
import { describe, expect, it } from 'vitest'
import { type QueuedTransaction, TransactionQueue } from '../../../src/queue/index.js'

const RUNS = Number(process.env.CAUSEWAY_LANE_RUNS ?? 400)
const ACCOUNTS = 6

function randomOf(seed: number) {
  let state = seed >>> 0 || 1
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

let made = 0
function queued(authority: string): QueuedTransaction {
  made += 1
  const id = Buffer.alloc(32)
  id.writeUInt32BE(made)
  const route = { lane: 0, dataspace: 0n }
  const rest = { bytes: Buffer.alloc(1), teu: 10, work: 0, proofWork: 0, expiresAtMs: 2, enteredAtMs: 0 }
  return { id, signedHash: id, authority, route, ...rest }
}

/** Service order by looking at everything for every turn: who was served longest ago, then who came first. */
function naiveOrder(waiting: readonly QueuedTransaction[], turnAt: ReadonlyMap<string, number>): QueuedTransaction[] {
  const left = [...waiting]
  const order: QueuedTransaction[] = []
  const rounds = new Map<string, number>()
  while (left.length > 0) {
    const keyOf = (one: QueuedTransaction) => [rounds.get(one.authority) ?? 0, turnAt.get(one.authority) ?? 0] as const
    const next = left.reduce((best, one) => {
      const [a, b] = [keyOf(best), keyOf(one)]
      return b[0] < a[0] || (b[0] === a[0] && b[1] < a[1]) ? one : best
    })
    order.push(next)
    left.splice(left.indexOf(next), 1)
    rounds.set(next.authority, (rounds.get(next.authority) ?? 0) + 1)
  }
  return order
}

describe('the round-robin order of the accounts of a lane', () => {
  it('matches a naive order, over any history of arrivals, blocks and expiries', () => {
    for (let seed = 1; seed <= RUNS; seed += 1) {
      const random = randomOf(seed)
      const queue = new TransactionQueue()
      const waiting: QueuedTransaction[] = []
      /** When each account got its present turn: when it came with nothing waiting, or was served. */
      const turnAt = new Map<string, number>()
      let clock = 0
      for (let step = 0; step < 60; step += 1) {
        clock += 1
        if (random(3) > 0 || waiting.length === 0) {
          const one = queued(`account ${random(ACCOUNTS)}`)
          if (!waiting.some(({ authority }) => authority === one.authority)) turnAt.set(one.authority, clock)
          waiting.push(one)
          queue.push(one)
        } else {
          // Mostly the first leaves, as after a block; sometimes another, which expired or came in another's block.
          const order = naiveOrder(waiting, turnAt)
          const gone = order[random(2) === 0 ? 0 : random(order.length)] as QueuedTransaction
          waiting.splice(waiting.indexOf(gone), 1)
          turnAt.set(gone.authority, clock)
          queue.remove(gone.id)
        }
        const order = naiveOrder(waiting, turnAt)
        expect([...queue.ofLane(0)], `seed ${seed}`).toEqual(order)
        expect([queue.depthOf(0), queue.teuOf(0)]).toEqual([waiting.length, 10 * waiting.length])
      }
    }
  })

  it('makes a new account wait for one transaction of each other account, however many they have queued', () => {
    for (let seed = 1; seed <= RUNS; seed += 1) {
      const random = randomOf(seed)
      const queue = new TransactionQueue()
      const accounts = 1 + random(ACCOUNTS)
      for (let account = 0; account < accounts; account += 1) {
        for (let count = 0; count <= random(40); count += 1) queue.push(queued(`account ${account}`))
      }
      const mine = [queued('mine'), queued('mine')]
      for (const one of mine) queue.push(one)
      let served = 0
      while (queue.has((mine[1] as QueuedTransaction).id)) {
        const [next] = queue.ofLane(0)
        queue.remove((next as QueuedTransaction).id)
        served += 1
        // The others never stop sending.
        queue.push(queued(`account ${random(accounts)}`))
        if (queue.has((mine[0] as QueuedTransaction).id)) expect(served, `seed ${seed}`).toBeLessThanOrEqual(accounts)
      }
      expect(served, `seed ${seed}`).toBeLessThanOrEqual(2 * (accounts + 1))
    }
  })
})
