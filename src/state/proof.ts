/**
 * Owns the definition of the state tree's hashes and the verification of its proofs, shared with the client.
 *
 * The tree is a binary compact sparse Merkle tree over all records. The position of a record is its key hash, from the
 * most significant bit. The hash of a subtree without records is 32 zero bytes. The hash of a subtree with one record
 * is the leaf of that record, so a lone leaf is at the depth where its path becomes unique. The hash of any other
 * subtree is the hash of its two children. The root depends only on the set of records, never on the order of changes
 * or on the storage of a node.
 */
import { sameBytes } from '../base/bytes.js'
import { hash32, type Infer, list, option, struct } from '../codec/index.js'
import { HASH_BYTES, hash, innerHash } from '../crypto/hash.js'

/** Hash of a subtree without records. */
export const EMPTY_HASH: Buffer = Buffer.alloc(HASH_BYTES)

/** Depth below which no two keys can share a path, in bits. */
export const MAX_TREE_DEPTH = 8 * HASH_BYTES

/** Position of a record in the tree. */
export const keyHashOf = (rowKeyBytes: Uint8Array): Buffer => hash('state-key', rowKeyBytes)
/** Hash of a record's value in the tree. */
export const valueHashOf = (valueBytes: Uint8Array): Buffer => hash('state-value', valueBytes)
/** Hash of a record. */
export const leafHashOf = (keyHash: Uint8Array, valueHash: Uint8Array): Buffer => hash('state-leaf', keyHash, valueHash)

/** Path bit of a key hash at a depth: 0 is left, 1 right. */
export const pathBit = (keyHash: Uint8Array, depth: number): number => (keyHash[depth >>> 3]! >>> (7 - (depth & 7))) & 1

/** Proof that a record has a value under a root, or that it does not exist. */
export interface StateProof extends Infer<typeof stateProof> {}
/** Wire form of a proof. */
export const stateProof = struct('StateProof', {
  /** Hashes of the siblings along the path, from the root down. */
  siblings: list(hash32, MAX_TREE_DEPTH),
  /** The only other record at the position of the absent one. */
  other: option(struct('StateProofLeaf', { keyHash: hash32, valueHash: hash32 })),
})

/**
 * True if the proof shows that the record has these bytes, or (without bytes) that it does not exist.
 *
 * @param root state root of a trusted header
 * @param rowKeyBytes u16 big-endian table id and encoded key
 * @param valueBytes canonical bytes of the record, or undefined for absence
 */
export function verifyStateProof(
  root: Uint8Array,
  rowKeyBytes: Uint8Array,
  valueBytes: Uint8Array | undefined,
  proof: StateProof,
): boolean {
  const depth = proof.siblings.length
  if (depth > MAX_TREE_DEPTH) return false
  const keyHash = keyHashOf(rowKeyBytes)
  let current: Buffer
  if (valueBytes !== undefined) {
    if (proof.other !== undefined) return false
    current = leafHashOf(keyHash, valueHashOf(valueBytes))
  } else if (proof.other !== undefined) {
    const foreign = proof.other
    if (foreign.keyHash.length !== HASH_BYTES || foreign.valueHash.length !== HASH_BYTES) return false
    if (sameBytes(foreign.keyHash, keyHash)) return false
    // A leaf from another part of the tree proves nothing about this path: it must share every bit down to its
    // position.
    for (let at = 0; at < depth; at += 1) if (pathBit(foreign.keyHash, at) !== pathBit(keyHash, at)) return false
    current = leafHashOf(foreign.keyHash, foreign.valueHash)
  } else {
    current = EMPTY_HASH
  }
  for (let at = depth - 1; at >= 0; at -= 1) {
    const sibling = proof.siblings[at]!
    if (sibling.length !== HASH_BYTES) return false
    current = pathBit(keyHash, at) === 1 ? innerHash(sibling, current) : innerHash(current, sibling)
  }
  return sameBytes(current, root)
}
