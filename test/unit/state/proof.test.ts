// Checks that no altered or borrowed proof verifies.
import { beforeAll, describe, expect, test } from 'vitest'
import { hash } from '../../../src/crypto/index.js'
import {
  MemoryBackend,
  rowKey,
  rowKeyBytes,
  type StateProof,
  stateProof,
  verifyStateProof,
  WorldState,
} from '../../../src/state/index.js'
import { counters, seeded } from './support.js'

const KEYS = 200
let world: WorldState
const rowOf = (key: number) => rowKeyBytes(rowKey(counters, key))
const bytesOf = (key: number) => counters.value.encode(key)
const proofOf = (key: number) => world.prove(rowKey(counters, key)).proof
const placeOf = (key: number) => hash('state-key', rowOf(key))

beforeAll(async () => {
  world = await WorldState.open({ backend: new MemoryBackend(), treeBits: 5 })
  const overlay = world.overlay()
  for (let key = 0; key < KEYS; key += 1) overlay.set(counters, key, key)
  await world.commit(world.prepare(overlay), { height: 1 })
})

describe('a forged exclusion proof', () => {
  test('is rejected if it shows a leaf from elsewhere in the tree', () => {
    for (let victim = 0; victim < KEYS; victim += 1) {
      const own = proofOf(victim)
      for (let other = 0; other < KEYS; other += 7) {
        if (other === victim) continue
        const leaf = { keyHash: placeOf(other), valueHash: hash('state-value', bytesOf(other)) }
        // With the stranger's path, with the victim's path, and with any shorter part of either.
        for (const siblings of [proofOf(other).siblings, own.siblings]) {
          for (const length of [siblings.length, siblings.length - 1, 1, 0]) {
            const forged = { siblings: siblings.slice(0, length), other: leaf }
            expect(verifyStateProof(world.root, rowOf(victim), undefined, forged)).toBe(false)
          }
        }
      }
    }
  })

  test('is rejected if it shows the record itself or an empty leaf', () => {
    for (let victim = 0; victim < KEYS; victim += 1) {
      const { siblings } = proofOf(victim)
      const self = { keyHash: placeOf(victim), valueHash: hash('state-value', bytesOf(victim)) }
      expect(verifyStateProof(world.root, rowOf(victim), undefined, { siblings, other: self })).toBe(false)
      expect(verifyStateProof(world.root, rowOf(victim), undefined, { siblings, other: undefined })).toBe(false)
    }
  })
})

describe('a proof that was tampered with', () => {
  test('is rejected for every change of the proof, root, key or value', () => {
    const random = seeded(3)
    for (let key = 0; key < 2 * KEYS; key += 1) {
      const bytes = key < KEYS ? bytesOf(key) : undefined
      const proof = proofOf(key)
      expect(verifyStateProof(world.root, rowOf(key), bytes, proof)).toBe(true)
      const changed = (change: (copy: { siblings: Buffer[]; other: StateProof['other'] }) => void) => {
        const copy = { siblings: proof.siblings.map((sibling) => Buffer.from(sibling)), other: proof.other }
        change(copy)
        return verifyStateProof(world.root, rowOf(key), bytes, copy)
      }
      const depth = proof.siblings.length
      const at = random(depth)
      expect(changed((copy) => (copy.siblings[at]![random(32)]! ^= 1 << random(8)))).toBe(false)
      expect(changed((copy) => copy.siblings.splice(at, 1))).toBe(false)
      expect(changed((copy) => copy.siblings.push(Buffer.alloc(32)))).toBe(false)
      expect(changed((copy) => copy.siblings.unshift(Buffer.alloc(32)))).toBe(false)
      expect(changed((copy) => (copy.siblings[at] = copy.siblings[at]!.subarray(1)))).toBe(false)
      if (proof.other !== undefined) {
        const { keyHash } = proof.other
        expect(changed((copy) => (copy.other = { keyHash, valueHash: hash('x') }))).toBe(false)
        expect(changed((copy) => (copy.other = { keyHash, valueHash: Buffer.alloc(31) }))).toBe(false)
        expect(changed((copy) => (copy.other = undefined))).toBe(false)
      }
      expect(verifyStateProof(hash('root'), rowOf(key), bytes, proof)).toBe(false)
      if (bytes !== undefined) {
        // Absence at a neighbour may share the path; presence never does.
        expect(verifyStateProof(world.root, rowOf(key + 1), bytes, proof)).toBe(false)
        expect(verifyStateProof(world.root, rowOf(key), Buffer.concat([bytes, Buffer.of(0)]), proof)).toBe(false)
      }
    }
  })

  test('is rejected before hashing if it is longer than a path', () => {
    const siblings = Array.from({ length: 257 }, () => Buffer.alloc(32))
    expect(verifyStateProof(world.root, rowOf(0), undefined, { siblings, other: undefined })).toBe(false)
  })
})

test('a proof can be encoded, decoded and then verified', () => {
  for (const key of [0, 1, KEYS + 1, KEYS + 2, KEYS + 3]) {
    const decoded = stateProof.decode(stateProof.encode(proofOf(key)))
    if (!decoded.ok) throw new Error(decoded.fault.message)
    const bytes = key < KEYS ? bytesOf(key) : undefined
    expect(verifyStateProof(world.root, rowOf(key), bytes, decoded.value)).toBe(true)
  }
})

test('proofs are valid in a state with no records, and in a state with one record', async () => {
  const small = await WorldState.open({ backend: new MemoryBackend(), treeBits: 4 })
  expect(verifyStateProof(small.root, rowOf(1), undefined, small.prove(rowKey(counters, 1)).proof)).toBe(true)
  const overlay = small.overlay()
  overlay.set(counters, 1, 1)
  await small.commit(small.prepare(overlay), { height: 1 })
  const inclusion = small.prove(rowKey(counters, 1))
  expect(inclusion.proof).toEqual({ siblings: [], other: undefined })
  expect(verifyStateProof(small.root, rowOf(1), bytesOf(1), inclusion.proof)).toBe(true)
  const exclusion = small.prove(rowKey(counters, 2))
  expect(verifyStateProof(small.root, rowOf(2), undefined, exclusion.proof)).toBe(true)
  expect(verifyStateProof(small.root, rowOf(1), undefined, exclusion.proof)).toBe(false)
})
