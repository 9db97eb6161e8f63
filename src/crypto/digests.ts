/** Owns hash functions for contracts, which verify hashes of other systems. */

import { createHash } from 'node:crypto'
import { keccak_256 } from '@noble/hashes/sha3.js'

/** SHA-256 (FIPS 180-4). */
export const sha256 = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest()
/** Keccak-256 with the original padding, as used by Ethereum. */
export const keccak256 = (bytes: Uint8Array): Uint8Array => keccak_256(bytes)
