/** Owns a sum over leaves in any order: rows and leaf pages that come to the same sum are the same set, whichever is read first. */
import { HASH_BYTES, HASH_WORDS } from '../crypto/hash.js'

/**
 * The number of leaves, and for each word of their hashes the sum of key times value. It finds what a disk damages, and takes neither a
 * look-up nor a hash for each leaf; against somebody who chooses rows only the root of the tree helps.
 */
export class LeafSum {
  private readonly words = new Uint32Array(HASH_WORDS)
  private count = 0

  add(keyHash: Buffer, valueHash: Buffer): void {
    for (let at = 0; at < HASH_BYTES; at += 4) {
      // An even word would lose bits of the other one.
      this.words[at >>> 2]! += Math.imul(keyHash.readUInt32LE(at) | 1, valueHash.readUInt32LE(at))
    }
    this.count += 1
  }

  equals(other: LeafSum): boolean {
    return this.count === other.count && this.words.every((word, at) => word === other.words[at])
  }
}
