/**
 * Owns the hash of the ledger: BLAKE3-256, its domain-tagged form, and the raw form for inner nodes of the state tree.
 */
import { createBLAKE3 } from 'hash-wasm'
import { BLOCK_BYTES, hashInput, input, inputWords, isUsable, SHORT_MAX_BYTES } from './blake3-short.js'

/** Length of every hash, in bytes. */
export const HASH_BYTES = 32
/** Hash size in words of 32 bits. */
export const HASH_WORDS = HASH_BYTES / 4

// Single hasher of the process: every use below runs to its digest without yielding.
const hasher = await createBLAKE3()

/** Maximum size of preimages that are hashed here, in bytes; the library hashes longer ones. */
const SHORT_BYTES = isUsable ? SHORT_MAX_BYTES : 0
/**
 * Maximum size of a preimage that is copied to one buffer and absorbed in one call, in bytes; a call costs more than
 * the bytes.
 */
const SCRATCH_BYTES = 16_384
const scratch = Buffer.alloc(SCRATCH_BYTES)
const lengthScratch = Buffer.alloc(4)

/**
 * Maximum number of tags: they are literals of the source, so the bound only guards against a caller that builds them
 * from data.
 */
const MAX_TAGS = 1024
const tagPrefixes = new Map<string, Buffer>()

function tagPrefix(tag: string): Buffer {
  const known = tagPrefixes.get(tag)
  if (known !== undefined) return known
  const ascii = Buffer.from(tag, 'latin1')
  if (ascii.length === 0 || ascii.length > 255 || !/^[\x21-\x7e]+$/.test(tag)) {
    throw new Error(`hash tag must be 1 to 255 printable ASCII characters: ${JSON.stringify(tag)}`)
  }
  if (tagPrefixes.size >= MAX_TAGS) throw new Error(`more than ${MAX_TAGS} hash tags: tags are literals, not data`)
  const prefix = Buffer.concat([Buffer.from([ascii.length]), ascii])
  tagPrefixes.set(tag, prefix)
  return prefix
}

/**
 * Size of the memory from which digests are allocated: a separate allocation would cost more than the hash. A digest
 * that is kept retains at most this much.
 */
const SLAB_BYTES = 128 * HASH_BYTES
const newSlab = (): { readonly bytes: Buffer; readonly words: Int32Array } => {
  const memory = new ArrayBuffer(SLAB_BYTES)
  return { bytes: Buffer.from(memory), words: new Int32Array(memory) }
}
let slab = newSlab()
let slabUsed = 0

/** Allocate the next digest. */
function nextPlace(): number {
  if (slabUsed === SLAB_BYTES) {
    slab = newSlab()
    slabUsed = 0
  }
  const at = slabUsed
  slabUsed += HASH_BYTES
  return at
}

/** Digest of the input that the library absorbed. */
function finish(): Buffer {
  const at = nextPlace()
  slab.bytes.set(hasher.digest('binary'), at)
  return slab.bytes.subarray(at, at + HASH_BYTES)
}

/** Digest of the first `length` bytes of the short input. */
function finishShort(length: number): Buffer {
  clearRest(length)
  const at = nextPlace()
  hashInput(length, slab.words, at >>> 2)
  return slab.bytes.subarray(at, at + HASH_BYTES)
}

/** Clear the rest of the last block after a short input. */
function clearRest(length: number): void {
  const end = length === 0 ? BLOCK_BYTES : Math.ceil(length / BLOCK_BYTES) * BLOCK_BYTES
  for (let at = length; at < end; at += 1) input[at] = 0
}

/** Copy a few bytes with a loop, which takes a fifth of the time of the runtime's copy. */
function copyShort(source: Uint8Array, from: number, size: number, target: Uint8Array, to: number): void {
  for (let at = 0; at < size; at += 1) target[to + at] = source[from + at]!
}

/** Plain BLAKE3-256 of the bytes; for checksums and content digests whose domain is separated otherwise. */
export function blake3(bytes: Uint8Array): Buffer {
  if (bytes.length <= SHORT_BYTES) {
    input.set(bytes)
    return finishShort(bytes.length)
  }
  hasher.init()
  hasher.update(bytes)
  return finish()
}

/**
 * Tagged hash: BLAKE3-256 over (u8 tag length, tag, then per part u32 big-endian length and bytes).
 *
 * @param tag ASCII literal that names the domain; equal parts under different tags have unrelated hashes
 * @param parts byte strings, each length-prefixed, so that no two lists of parts share a preimage
 * @returns 32 bytes, owned by the caller
 */
export function hash(tag: string, ...parts: Uint8Array[]): Buffer {
  const prefix = tagPrefix(tag)
  let total = prefix.length
  for (let at = 0; at < parts.length; at += 1) total += 4 + parts[at]!.length
  if (total <= SHORT_BYTES) {
    layOut(prefix, parts, input)
    return finishShort(total)
  }
  hasher.init()
  if (total <= SCRATCH_BYTES) {
    layOut(prefix, parts, scratch)
    hasher.update(scratch.subarray(0, total))
    return finish()
  }
  hasher.update(prefix)
  for (const part of parts) {
    lengthScratch.writeUInt32BE(part.length, 0)
    hasher.update(lengthScratch)
    hasher.update(part)
  }
  return finish()
}

/** Write a preimage to the beginning of a buffer, which must be large enough. */
function layOut(prefix: Buffer, parts: readonly Uint8Array[], target: Uint8Array): void {
  copyShort(prefix, 0, prefix.length, target, 0)
  let at = prefix.length
  for (let index = 0; index < parts.length; index += 1) {
    const part = parts[index]!
    const { length } = part
    target[at] = length >>> 24
    target[at + 1] = length >>> 16
    target[at + 2] = length >>> 8
    target[at + 3] = length
    if (length <= BLOCK_BYTES) copyShort(part, 0, length, target, at + 4)
    else target.set(part, at + 4)
    at += 4 + length
  }
}

/**
 * Hash of an inner node of the state tree: BLAKE3-256 over exactly 64 bytes, left child then right child, without a
 * tag.
 */
export function innerHash(left: Uint8Array, right: Uint8Array): Buffer {
  if (!isUsable) return blake3(Buffer.concat([left, right]))
  copyShort(left, 0, HASH_BYTES, input, 0)
  copyShort(right, 0, HASH_BYTES, input, HASH_BYTES)
  return finishShort(2 * HASH_BYTES)
}

/** `innerHash` over hashes in word arrays, written to a word array of the caller: the inner loop of the tree. */
export function innerHashWords(
  left: Int32Array,
  leftAt: number,
  right: Int32Array,
  rightAt: number,
  target: Int32Array,
  at: number,
): void {
  if (!isUsable) {
    const digest = innerHash(bytesAt(left, leftAt), bytesAt(right, rightAt))
    bytesAt(target, at).set(digest)
    return
  }
  for (let word = 0; word < HASH_WORDS; word += 1) {
    inputWords[word] = left[leftAt + word]!
    inputWords[HASH_WORDS + word] = right[rightAt + word]!
  }
  hashInput(2 * HASH_BYTES, target, at)
}

/** Bytes of a hash in words. */
const bytesAt = (words: Int32Array, at: number): Uint8Array =>
  new Uint8Array(words.buffer, words.byteOffset + 4 * at, HASH_BYTES)

/** View of concatenated hashes as machine words, for bulk copying and hashing. */
export const wordsOf = (hashes: Buffer): Int32Array =>
  new Int32Array(hashes.buffer, hashes.byteOffset, hashes.length / 4)
