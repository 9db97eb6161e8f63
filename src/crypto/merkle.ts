/**
 * Owns the Merkle tree over an ordered list (transactions, results, evidence, lane commitments).
 *
 * Leaf = hash("merkle-leaf", bytes), node = hash("merkle-node", left, right), an odd last child is promoted unchanged.
 * A verifier must use the leaf count from a signed header: without it one proof is valid for several indexes.
 */
import { sameBytes } from '../base/bytes.js'
import { HASH_BYTES, hash } from './hash.js'

/** Root of the empty list. */
export const EMPTY_MERKLE_ROOT: Buffer = hash('merkle-empty')

/** Proof of a leaf at an index of a list. Path length and sides follow from index and leafCount. */
export interface MerkleProof {
  readonly index: number
  readonly leafCount: number
  /** Sibling hashes, lowest first. */
  readonly path: readonly Uint8Array[]
}

const leafHash = (leaf: Uint8Array): Buffer => hash('merkle-leaf', leaf)
const nodeHash = (left: Uint8Array, right: Uint8Array): Buffer => hash('merkle-node', left, right)

function parents(level: readonly Buffer[]): Buffer[] {
  const above: Buffer[] = []
  for (let at = 0; at < level.length; at += 2) {
    const right = level[at + 1]
    above.push(right === undefined ? level[at]! : nodeHash(level[at]!, right))
  }
  return above
}

/** Root of the ordered leaves. */
export function merkleRoot(leaves: readonly Uint8Array[]): Buffer {
  if (leaves.length === 0) return EMPTY_MERKLE_ROOT
  let level = leaves.map(leafHash)
  while (level.length > 1) level = parents(level)
  return level[0]!
}

/** Proof of one leaf; the index must be inside the list. */
export function merkleProof(leaves: readonly Uint8Array[], index: number): MerkleProof {
  if (!Number.isInteger(index) || index < 0 || index >= leaves.length) {
    throw new Error(`merkle proof: index ${index} is out of range for ${leaves.length} leaves`)
  }
  const path: Buffer[] = []
  let level = leaves.map(leafHash)
  for (let at = index; level.length > 1; at >>>= 1) {
    const sibling = level[at ^ 1]
    if (sibling !== undefined) path.push(sibling)
    level = parents(level)
  }
  return { index, leafCount: leaves.length, path }
}

/** Root of the list with the leaf at `proof.index` of `proof.leafCount` leaves; undefined for a malformed proof. */
export function rootOfProof(leaf: Uint8Array, proof: MerkleProof): Buffer | undefined {
  const { leafCount } = proof
  if (!Number.isSafeInteger(leafCount)) return undefined
  if (!Number.isSafeInteger(proof.index) || proof.index < 0 || proof.index >= leafCount) return undefined
  let current = leafHash(leaf)
  let used = 0
  let width = leafCount
  for (let at = proof.index; width > 1; at = Math.floor(at / 2), width = Math.ceil(width / 2)) {
    const isLeft = at % 2 === 0
    // The odd last node of a level has no sibling and is promoted unchanged.
    if (isLeft && at + 1 === width) continue
    const sibling = proof.path[used]
    if (sibling === undefined || sibling.length !== HASH_BYTES) return undefined
    used += 1
    current = isLeft ? nodeHash(current, sibling) : nodeHash(sibling, current)
  }
  return used === proof.path.length ? current : undefined
}

/**
 * True if the leaf is at `proof.index` of the list of `leafCount` leaves with this root.
 *
 * @param leafCount count that the header commits to; a proof with another count is refused
 */
export function verifyMerkleProof(root: Uint8Array, leafCount: number, leaf: Uint8Array, proof: MerkleProof): boolean {
  if (proof.leafCount !== leafCount) return false
  const computed = rootOfProof(leaf, proof)
  return computed !== undefined && sameBytes(computed, root)
}
