// Checks Merkle proofs on every shape: each leaf proves itself, and nothing else, nowhere else.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EMPTY_MERKLE_ROOT, hash, merkleProof, merkleRoot, verifyMerkleProof } from '../../../src/crypto/index.js'

const leavesOf = (count: number) => Array.from({ length: count }, (_, at) => Buffer.from(`leaf ${at}`))

/** The definition, recursively: the left part is the largest complete tree below the count. */
function reference(leaves: readonly Uint8Array[]): Buffer {
  if (leaves.length === 0) return hash('merkle-empty')
  if (leaves.length === 1) return hash('merkle-leaf', leaves[0]!)
  let split = 1
  while (split * 2 < leaves.length) split *= 2
  return hash('merkle-node', reference(leaves.slice(0, split)), reference(leaves.slice(split)))
}

test('roots and proofs verify for every size up to 70', () => {
  expect(merkleRoot([])).toEqual(EMPTY_MERKLE_ROOT)
  for (let count = 1; count <= 70; count += 1) {
    const leaves = leavesOf(count)
    const root = merkleRoot(leaves)
    expect(root).toEqual(reference(leaves))
    for (let index = 0; index < count; index += 1) {
      const proof = merkleProof(leaves, index)
      expect(verifyMerkleProof(root, count, leaves[index]!, proof)).toBe(true)
      expect(verifyMerkleProof(root, count, leaves[(index + 1) % count]!, proof)).toBe(count === 1)
      // The header's count decides, not the proof's.
      expect(verifyMerkleProof(root, count, leaves[index]!, { ...proof, leafCount: count + 1 })).toBe(false)
      expect(verifyMerkleProof(root, count + 1, leaves[index]!, proof)).toBe(false)
    }
    expect(() => merkleProof(leaves, count)).toThrow()
  }
})

test('an altered proof does not verify', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 40 }),
      fc.nat(),
      fc.nat(),
      fc.constantFrom('flip', 'drop', 'append', 'swap', 'index', 'short'),
      (count, pick, where, change) => {
        const leaves = leavesOf(count)
        const root = merkleRoot(leaves)
        const index = pick % count
        const proof = merkleProof(leaves, index)
        const path: Buffer[] = proof.path.map((hashBytes) => Buffer.from(hashBytes))
        const at = where % path.length
        let forged = { ...proof, path }
        if (change === 'flip') path[at]![where % 32]! ^= 1 << (where % 8)
        if (change === 'drop') path.splice(at, 1)
        if (change === 'append') path.push(hash('x'))
        if (change === 'short') path[at] = path[at]!.subarray(1)
        if (change === 'swap' && path.length > 1) path.reverse()
        else if (change === 'swap') path.push(path[0]!)
        if (change === 'index') forged = { ...forged, index: (index + 1 + (where % (count - 1))) % count }
        expect(verifyMerkleProof(root, count, leaves[index]!, forged)).toBe(false)
      },
    ),
    { numRuns: 500 },
  )
})

test('a proof with invalid numbers is refused', () => {
  const leaves = leavesOf(5)
  const root = merkleRoot(leaves)
  const proof = merkleProof(leaves, 0)
  for (const index of [-1, 5, 0.5, Number.NaN, 2 ** 53]) {
    expect(verifyMerkleProof(root, 5, leaves[0]!, { ...proof, index })).toBe(false)
  }
  for (const count of [0, -5, Number.NaN, Number.POSITIVE_INFINITY]) {
    expect(verifyMerkleProof(root, count, leaves[0]!, { ...proof, leafCount: count })).toBe(false)
  }
})
