/**
 * Owns BLAKE3-256 of single-chunk inputs in plain arithmetic: a library call costs more than hashing a few blocks, and
 * most hashed inputs of a ledger are short. Its tests compare it with two libraries.
 */

/** Size of a block, in bytes. */
export const BLOCK_BYTES = 64
/** Maximum input length, in bytes: one chunk of BLAKE3. Longer inputs are trees, which the library hashes. */
export const SHORT_MAX_BYTES = 16 * BLOCK_BYTES

const BLOCK_WORDS = 16
const CHUNK_START = 1
const CHUNK_END = 2
const ROOT = 8

/** First words of the fractional parts of the square roots of the first eight primes. */
const IV = Int32Array.of(0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19)
const ROUNDS = 7

/** False on big-endian machines, on which this implementation is not used. */
export const isUsable: boolean = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1

/** Input buffer, filled by the caller; bytes after the input up to the end of its last block must be zero. */
export const input: Uint8Array = new Uint8Array(SHORT_MAX_BYTES)
/** The same memory as words. */
export const inputWords: Int32Array = new Int32Array(input.buffer)

/** Chaining value, which becomes the digest. */
const state = new Int32Array(8)

/** Hash the first `length` bytes of `input`, and write the eight words of the digest. */
export function hashInput(length: number, target: Int32Array, at: number): void {
  state.set(IV)
  const last = length === 0 ? 0 : (length - 1) >>> 6
  for (let block = 0; block < last; block += 1) {
    compress(inputWords, block * BLOCK_WORDS, BLOCK_BYTES, block === 0 ? CHUNK_START : 0)
  }
  const flags = CHUNK_END | ROOT | (last === 0 ? CHUNK_START : 0)
  compress(inputWords, last * BLOCK_WORDS, length - last * BLOCK_BYTES, flags)
  for (let word = 0; word < 8; word += 1) target[at + word] = state[word]!
}

/** One compression of sixteen message words into the chaining value. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: seven unrolled rounds
function compress(message: Int32Array, at: number, length: number, flags: number): void {
  let m0 = message[at]!
  let m1 = message[at + 1]!
  let m2 = message[at + 2]!
  let m3 = message[at + 3]!
  let m4 = message[at + 4]!
  let m5 = message[at + 5]!
  let m6 = message[at + 6]!
  let m7 = message[at + 7]!
  let m8 = message[at + 8]!
  let m9 = message[at + 9]!
  let m10 = message[at + 10]!
  let m11 = message[at + 11]!
  let m12 = message[at + 12]!
  let m13 = message[at + 13]!
  let m14 = message[at + 14]!
  let m15 = message[at + 15]!
  let v0 = state[0]!
  let v1 = state[1]!
  let v2 = state[2]!
  let v3 = state[3]!
  let v4 = state[4]!
  let v5 = state[5]!
  let v6 = state[6]!
  let v7 = state[7]!
  let v8 = IV[0]!
  let v9 = IV[1]!
  let v10 = IV[2]!
  let v11 = IV[3]!
  // Counter of chunks, of which there is one.
  let v12 = 0
  let v13 = 0
  let v14 = length
  let v15 = flags
  for (let round = 0; round < ROUNDS; round += 1) {
    // Columns, then diagonals.
    v0 = (v0 + v4 + m0) | 0
    v12 ^= v0
    v12 = (v12 >>> 16) | (v12 << 16)
    v8 = (v8 + v12) | 0
    v4 ^= v8
    v4 = (v4 >>> 12) | (v4 << 20)
    v0 = (v0 + v4 + m1) | 0
    v12 ^= v0
    v12 = (v12 >>> 8) | (v12 << 24)
    v8 = (v8 + v12) | 0
    v4 ^= v8
    v4 = (v4 >>> 7) | (v4 << 25)
    v1 = (v1 + v5 + m2) | 0
    v13 ^= v1
    v13 = (v13 >>> 16) | (v13 << 16)
    v9 = (v9 + v13) | 0
    v5 ^= v9
    v5 = (v5 >>> 12) | (v5 << 20)
    v1 = (v1 + v5 + m3) | 0
    v13 ^= v1
    v13 = (v13 >>> 8) | (v13 << 24)
    v9 = (v9 + v13) | 0
    v5 ^= v9
    v5 = (v5 >>> 7) | (v5 << 25)
    v2 = (v2 + v6 + m4) | 0
    v14 ^= v2
    v14 = (v14 >>> 16) | (v14 << 16)
    v10 = (v10 + v14) | 0
    v6 ^= v10
    v6 = (v6 >>> 12) | (v6 << 20)
    v2 = (v2 + v6 + m5) | 0
    v14 ^= v2
    v14 = (v14 >>> 8) | (v14 << 24)
    v10 = (v10 + v14) | 0
    v6 ^= v10
    v6 = (v6 >>> 7) | (v6 << 25)
    v3 = (v3 + v7 + m6) | 0
    v15 ^= v3
    v15 = (v15 >>> 16) | (v15 << 16)
    v11 = (v11 + v15) | 0
    v7 ^= v11
    v7 = (v7 >>> 12) | (v7 << 20)
    v3 = (v3 + v7 + m7) | 0
    v15 ^= v3
    v15 = (v15 >>> 8) | (v15 << 24)
    v11 = (v11 + v15) | 0
    v7 ^= v11
    v7 = (v7 >>> 7) | (v7 << 25)
    v0 = (v0 + v5 + m8) | 0
    v15 ^= v0
    v15 = (v15 >>> 16) | (v15 << 16)
    v10 = (v10 + v15) | 0
    v5 ^= v10
    v5 = (v5 >>> 12) | (v5 << 20)
    v0 = (v0 + v5 + m9) | 0
    v15 ^= v0
    v15 = (v15 >>> 8) | (v15 << 24)
    v10 = (v10 + v15) | 0
    v5 ^= v10
    v5 = (v5 >>> 7) | (v5 << 25)
    v1 = (v1 + v6 + m10) | 0
    v12 ^= v1
    v12 = (v12 >>> 16) | (v12 << 16)
    v11 = (v11 + v12) | 0
    v6 ^= v11
    v6 = (v6 >>> 12) | (v6 << 20)
    v1 = (v1 + v6 + m11) | 0
    v12 ^= v1
    v12 = (v12 >>> 8) | (v12 << 24)
    v11 = (v11 + v12) | 0
    v6 ^= v11
    v6 = (v6 >>> 7) | (v6 << 25)
    v2 = (v2 + v7 + m12) | 0
    v13 ^= v2
    v13 = (v13 >>> 16) | (v13 << 16)
    v8 = (v8 + v13) | 0
    v7 ^= v8
    v7 = (v7 >>> 12) | (v7 << 20)
    v2 = (v2 + v7 + m13) | 0
    v13 ^= v2
    v13 = (v13 >>> 8) | (v13 << 24)
    v8 = (v8 + v13) | 0
    v7 ^= v8
    v7 = (v7 >>> 7) | (v7 << 25)
    v3 = (v3 + v4 + m14) | 0
    v14 ^= v3
    v14 = (v14 >>> 16) | (v14 << 16)
    v9 = (v9 + v14) | 0
    v4 ^= v9
    v4 = (v4 >>> 12) | (v4 << 20)
    v3 = (v3 + v4 + m15) | 0
    v14 ^= v3
    v14 = (v14 >>> 8) | (v14 << 24)
    v9 = (v9 + v14) | 0
    v4 ^= v9
    v4 = (v4 >>> 7) | (v4 << 25)
    // Message words of the next round.
    const n0 = m0
    m0 = m2
    m2 = m3
    m3 = m10
    m10 = m12
    m12 = m9
    m9 = m11
    m11 = m5
    m5 = n0
    const n1 = m1
    m1 = m6
    m6 = m4
    m4 = m7
    m7 = m13
    m13 = m14
    m14 = m15
    m15 = m8
    m8 = n1
  }
  state[0] = v0 ^ v8
  state[1] = v1 ^ v9
  state[2] = v2 ^ v10
  state[3] = v3 ^ v11
  state[4] = v4 ^ v12
  state[5] = v5 ^ v13
  state[6] = v6 ^ v14
  state[7] = v7 ^ v15
}
