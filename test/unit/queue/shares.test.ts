// Share of one account of the bytes of a block, and the rest for the others.
import { expect, it } from 'vitest'
import { drawBlock, type QueuedTransaction, TransactionQueue } from '../../../src/queue/index.js'
import { drawPlace } from '../../support/lanes.js'

let made = 0
function queued(authority: string, size: number): QueuedTransaction {
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
    teu: 10,
    work: 110,
    proofWork: 0,
    expiresAtMs: 9,
    enteredAtMs: 0,
  }
}
const turns = [{ lane: 0, teuCapacity: 0 }]
const KIB = 1024
const place = drawPlace({ teu: 1_000_000, transactions: 4_000, bytes: 800 * KIB }, 1)

function drawnFrom(...all: readonly QueuedTransaction[]) {
  const queue = new TransactionQueue()
  for (const one of all) expect(queue.push(one)).toBeUndefined()
  const { drawn, deferrals } = drawBlock(queue, turns, place)
  expect(deferrals.size).toBe(0)
  const bytesOf = new Map<string, number>()
  for (const { authority, bytes } of drawn) bytesOf.set(authority, (bytesOf.get(authority) ?? 0) + bytes.length)
  return Object.fromEntries(bytesOf)
}
const many = (authority: string, count: number, size: number) =>
  Array.from({ length: count }, () => queued(authority, size))

it('an account gets at most an eighth of the bytes of a block, whatever other accounts send', () => {
  expect(drawnFrom(...many('alice', 40, 10 * KIB))).toEqual({ alice: 100 * KIB })
  expect(drawnFrom(...many('alice', 40, 10 * KIB), ...many('bob', 3, KIB))).toEqual({ alice: 100 * KIB, bob: 3 * KIB })
})

it('the first transaction of an account is included at any size, but then no other one', () => {
  expect(drawnFrom(...many('alice', 3, 300 * KIB), queued('bob', 300 * KIB))).toEqual({
    alice: 300 * KIB,
    bob: 300 * KIB,
  })
})

it('a transaction that exceeds the share of its account does not hold up smaller ones of that account', () => {
  expect(drawnFrom(queued('alice', 60 * KIB), queued('alice', 60 * KIB), queued('alice', 40 * KIB))).toEqual({
    alice: 100 * KIB,
  })
})

it('small transactions of one account can fill a whole block', () => {
  expect(drawnFrom(...many('alice', 280, 350))).toEqual({ alice: 280 * 350 })
})
