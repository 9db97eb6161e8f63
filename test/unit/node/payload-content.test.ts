// Records of a payload that a voter takes over from its queue, and those that it must verify.
import { beforeEach, describe, expect, it } from 'vitest'
import { composeBody, signedHash, signedTransaction, transactionId } from '../../../src/model/index.js'
import { payloadContent } from '../../../src/node/consensus/payloads.js'
import { signedSlices } from '../../../src/node/ledger/slices.js'
import { TransactionQueue } from '../../../src/queue/index.js'
import { codec, GENESIS_TIME_MS, signedBy, type TestAccount, testAccount, transferOf } from '../../support/chain.js'

const alice: TestAccount = await testAccount('alice')
const bob: TestAccount = await testAccount('bob')
const pay = (amount: bigint): Buffer =>
  Buffer.from(signedBy(alice, [transferOf(alice.id, bob.id, amount)], GENESIS_TIME_MS).bytes)
const bodyOf = (...records: readonly Uint8Array[]): Buffer =>
  composeBody(
    undefined,
    [],
    records.map((bytes) => ({ lane: 0, dataspace: 0n, bytes })),
  )

let queue: TransactionQueue
const queued = (record: Buffer): Buffer => {
  const decoded = signedTransaction.decode(record, codec)
  if (!decoded.ok) throw new Error('a record of the test does not decode')
  const id = transactionId(decoded.value.payload.bytes)
  const costs = { teu: 100, work: 100, proofWork: 0 }
  const times = { expiresAtMs: GENESIS_TIME_MS + 1_000, enteredAtMs: 0 }
  const route = { lane: 0, dataspace: 0n }
  queue.push({ id, signedHash: signedHash(record), bytes: record, authority: alice.id, route, ...costs, ...times })
  return record
}
beforeEach(() => {
  queue = new TransactionQueue()
})

/** The same payment with another signature. */
function signedOtherwise(record: Buffer): Buffer {
  const decoded = signedTransaction.decode(record, codec)
  if (!decoded.ok) throw new Error('a record of the test does not decode')
  const { payload, policy } = decoded.value
  const signatures = decoded.value.signatures.map(({ publicKey }) => ({ publicKey, signature: Buffer.alloc(64, 9) }))
  return signedTransaction.encode({ payload, policy, signatures }, codec)
}

describe('the content of a payload', () => {
  it('includes the ids and hashes of all records, and queued records need no verification', () => {
    const body = bodyOf(queued(pay(1n)), pay(2n), queued(pay(3n)))
    const content = payloadContent(body, queue, codec)
    const plain = signedSlices(body, codec)
    const named = (slices: readonly { readonly id: Buffer; readonly signedHash: Buffer }[] = []) =>
      slices.map((one) => [one.id.toString('hex'), one.signedHash.toString('hex')])
    expect(named(content?.slices)).toEqual(named(plain.slices))
    expect(named(content?.unverified)).toEqual(named(plain.slices.slice(1, 2)))
  })

  it('includes a signature to verify if a record has another signature than the queued one', () => {
    const forged = signedOtherwise(queued(pay(1n)))
    const content = payloadContent(bodyOf(forged), queue, codec)
    expect(content?.unverified.map((one) => one.signedHash)).toEqual([signedHash(forged)])
    expect(content?.slices).toHaveLength(1)
  })

  it('is invalid if a record does not decode, even if other records are queued', () => {
    const good = queued(pay(1n))
    expect(payloadContent(bodyOf(good, good.subarray(0, good.length - 1)), queue, codec)).toBeUndefined()
    expect(payloadContent(bodyOf(good).subarray(1), queue, codec)).toBeUndefined()
  })
})
