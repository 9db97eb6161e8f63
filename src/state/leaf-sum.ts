/** Owns an order-independent sum over leaves: rows and leaf pages with the same sum are the same set. */
import { HASH_BYTES, HASH_WORDS } from '../crypto/hash.js'

/**
 * Sum of leaves: their number and, for each word of their hashes, the sum of key times value. It detects disk
 * corruption without a lookup or a hash per leaf; only the root of the tree protects against chosen rows.
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
