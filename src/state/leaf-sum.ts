/** Owns a sum over leaves in any order: rows and leaf pages that come to the same sum are the same set, whichever is read first. */
import { HASH_BYTES, HASH_WORDS } from '../crypto/hash.js'
import { leafHashOf } from './proof.js'

/**
 * The number of leaves, and the sums of the words of their hashes. It finds what a disk damages, and takes no look-up for each leaf;
 * against somebody who chooses rows only the root of the tree helps.
 */
export class LeafSum {
  private readonly words = new Uint32Array(HASH_WORDS)
  private count = 0

  add(keyHash: Uint8Array, valueHash: Uint8Array): void {
    const hash = leafHashOf(keyHash, valueHash)
    for (let at = 0; at < HASH_BYTES; at += 4) this.words[at >>> 2]! += hash.readUInt32LE(at)
    this.count += 1
  }

  equals(other: LeafSum): boolean {
    return this.count === other.count && this.words.every((word, at) => word === other.words[at])
  }
}
