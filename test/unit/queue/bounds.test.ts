// Bounds of the queue: what one account may fill, and what costs are when they change while transactions wait.
import { describe, expect, it } from 'vitest'
import { keyString } from '../../../src/model/index.js'
import { QUEUE_BYTES_PER_ACCOUNT, type QueuedTransaction, TransactionQueue } from '../../../src/queue/index.js'

let made = 0
function queued(authority: string, size: number, teu = 200): QueuedTransaction {
  made += 1
  const id = Buffer.alloc(32)
  id.writeUInt32BE(made)
  // The bytes are not looked at: their length is.
  const bytes = { length: size } as Uint8Array
  const route = { lane: 0, dataspace: 0n }
  return {
    id,
    signedHash: id,
    bytes,
    authority,
    route,
    teu,
    work: 11 * teu,
    proofWork: 0,
    expiresAtMs: 9,
    enteredAtMs: 0,
  }
}

describe('the transaction queue', () => {
  it('limits one account to an eighth of its bytes, and keeps room for other accounts', () => {
    const queue = new TransactionQueue()
    const size = QUEUE_BYTES_PER_ACCOUNT / 32
    const own = Array.from({ length: 32 }, () => queued('alice', size))
    for (const one of own) expect(queue.push(one)).toBeUndefined()
    expect(queue.push(queued('alice', 1))).toBe('per_user_queue_limit')
    expect(queue.push(queued('bob', size))).toBeUndefined()
    queue.remove(own[3]?.id ?? Buffer.alloc(0))
    expect(queue.push(queued('alice', size))).toBeUndefined()
    expect(queue.push(queued('alice', 1))).toBe('per_user_queue_limit')
  })

  it('is full once eight accounts have used their eighth of the bytes', () => {
    const queue = new TransactionQueue()
    for (let account = 0; account < 8; account += 1) {
      expect(queue.push(queued(`account ${account}`, QUEUE_BYTES_PER_ACCOUNT))).toBeUndefined()
    }
    expect(queue.push(queued('account 8', 1))).toBe('queue_full')
  })

  it('limits unverified proofs to four per account, which only a single transaction may exceed', () => {
    const queue = new TransactionQueue()
    const proving = (authority: string, unverifiedProofs: number) => ({ ...queued(authority, 10), unverifiedProofs })
    const three = proving('alice', 3)
    expect(queue.push(three)).toBeUndefined()
    expect(queue.push(proving('alice', 2))).toBe('per_user_queue_limit')
    expect(queue.push(proving('alice', 0))).toBeUndefined()
    expect(queue.push(queued('alice', 10))).toBeUndefined()
    expect(queue.push(proving('alice', 1))).toBeUndefined()
    expect(queue.push(proving('alice', 1))).toBe('per_user_queue_limit')
    expect(queue.push(proving('bob', 42))).toBeUndefined()
    expect(queue.push(proving('bob', 1))).toBe('per_user_queue_limit')
    queue.remove(three.id)
    expect(queue.push(proving('alice', 3))).toBeUndefined()
  })

  it('updates the costs of transactions without reordering them', () => {
    const queue = new TransactionQueue()
    const all = [queued('alice', 10), queued('bob', 10), queued('alice', 10)]
    for (const one of all) queue.push(one)
    const second = keyString(all[1]?.id ?? Buffer.alloc(0))
    queue.reprice(
      new Map([
        [second, { teu: 1_800, work: 5, proofWork: 0 }],
        ['gone', { teu: 1, work: 1, proofWork: 0 }],
      ]),
    )
    expect([...queue.ofLane(0)].map((one) => [one.authority, one.teu, one.work])).toEqual([
      ['alice', 200, 2_200],
      ['bob', 1_800, 5],
      ['alice', 200, 2_200],
    ])
    expect([queue.teu, queue.teuOf(0), queue.size]).toEqual([2_200, 2_200, 3])
    queue.remove(all[1]?.id ?? Buffer.alloc(0))
    expect([queue.teu, queue.teuOf(0)]).toEqual([400, 400])
  })
})
