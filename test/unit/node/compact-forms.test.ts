/** Compact forms that no honest proposer sends: what they lead to is never composed. */
import { describe, expect, it } from 'vitest'
import { compactBody, TRANSACTION_MAX_BYTES } from '../../../src/model/index.js'
import { rebuild } from '../../../src/node/consensus/payloads.js'
import { type QueuedTransaction, TransactionQueue } from '../../../src/queue/index.js'

describe('a compact proposal of a faulty proposer', () => {
  const HASH = Buffer.alloc(32, 1)
  /** A queue with records of this many bytes, named by their place. */
  const queueOf = (...sizes: number[]): TransactionQueue => {
    const queue = new TransactionQueue()
    for (const [at, size] of sizes.entries()) {
      const id = Buffer.alloc(32, at + 1)
      const place = { authority: 'alice', route: { lane: 0, dataspace: 0n }, teu: 1, work: 0, proofWork: 0 }
      const times = { expiresAtMs: 1, enteredAtMs: 0 }
      const one: QueuedTransaction = { id, signedHash: id, bytes: Buffer.alloc(size, at), ...place, ...times }
      expect(queue.push(one)).toBeUndefined()
    }
    return queue
  }
  const rebuilt = (queue: TransactionQueue, places: readonly number[], payloadBytes: number) => {
    const entries = places.map((at) => ({ lane: 0, dataspace: 0n, signedHash: Buffer.alloc(32, at + 1) }))
    const compact = compactBody.encode({ parentCertificate: undefined, evidence: [], entries })
    return rebuild({ type: 'rebuild', blockHash: HASH, compact, records: [], payloadBytes }, queue)
  }

  it('is neither rebuilt nor completed by requests if it contains a duplicate record', () => {
    const queue = queueOf(100, 100)
    expect(rebuilt(queue, [0, 1], 1_000).body).toBeDefined()
    expect(rebuilt(queue, [0, 1, 0], 1_000)).toMatchObject({ body: undefined, missing: [] })
    expect(rebuilt(queue, [7, 7], 1_000)).toMatchObject({ body: undefined, missing: [] })
  })

  it('is not rebuilt if its records exceed the payload size in its header', () => {
    const queue = queueOf(...Array.from({ length: 20 }, () => TRANSACTION_MAX_BYTES))
    const places = Array.from({ length: 20 }, (_, at) => at)
    const lengthOf = (payloadBytes: number) => rebuilt(queue, places, payloadBytes).body?.length
    expect(lengthOf(20 * TRANSACTION_MAX_BYTES - 1)).toBeUndefined()
    expect(lengthOf(20 * TRANSACTION_MAX_BYTES)).toBeGreaterThan(20 * TRANSACTION_MAX_BYTES)
  })
})
