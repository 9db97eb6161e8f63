/** Owns the one hash of the ledger: BLAKE3-256, its domain-tagged form, and the raw form of the state tree's inner nodes. */
import { createBLAKE3 } from 'hash-wasm'

/** Length of every hash, in bytes. */
export const HASH_BYTES = 32

// One hasher for the process: every use below runs to its digest without yielding.
const hasher = await createBLAKE3()

/** Up to this many bytes a preimage is laid out in one buffer and absorbed in one call (the call costs more than the bytes). */
const SCRATCH_BYTES = 16_384
const scratch = Buffer.alloc(SCRATCH_BYTES)
/** Views of the beginning of the buffer, by their length: most preimages are short, and a view costs as much as they do. */
const SHORT_BYTES = 512
const shortViews: (Buffer | undefined)[] = new Array(SHORT_BYTES).fill(undefined)
const lengthScratch = Buffer.alloc(4)
const pair = Buffer.alloc(2 * HASH_BYTES)

/** Tags are literals of the source; the bound only guards against a caller that builds them from data. */
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

/** The first bytes of the scratch buffer. */
function laidOut(size: number): Buffer {
  if (size >= SHORT_BYTES) return scratch.subarray(0, size)
  const view = shortViews[size] ?? scratch.subarray(0, size)
  shortViews[size] = view
  return view
}

function finish(): Buffer {
  const digest = hasher.digest('binary')
  return Buffer.from(digest.buffer, digest.byteOffset, HASH_BYTES)
}

/** Plain BLAKE3-256 of the bytes; for checksums and content digests that another definition already separates. */
export function blake3(bytes: Uint8Array): Buffer {
  hasher.init()
  hasher.update(bytes)
  return finish()
}

/**
 * The tagged hash: BLAKE3-256 over (u8 tag length, tag, then per part u32 big-endian length and bytes).
 *
 * @param tag ASCII literal that names the domain; equal parts under different tags have unrelated hashes
 * @param parts byte strings, each length-prefixed, so that no two lists of parts share a preimage
 * @returns a fresh 32-byte buffer
 */
export function hash(tag: string, ...parts: Uint8Array[]): Buffer {
  const prefix = tagPrefix(tag)
  let total = prefix.length
  for (const part of parts) total += 4 + part.length
  hasher.init()
  if (total <= SCRATCH_BYTES) {
    scratch.set(prefix, 0)
    let at = prefix.length
    for (const part of parts) {
      scratch.writeUInt32BE(part.length, at)
      scratch.set(part, at + 4)
      at += 4 + part.length
    }
    hasher.update(laidOut(at))
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

/** The hash of a state tree's inner node: BLAKE3-256 over exactly 64 bytes, left child then right child, without a tag. */
export function innerHash(left: Uint8Array, right: Uint8Array): Buffer {
  pair.set(left, 0)
  pair.set(right, HASH_BYTES)
  hasher.init()
  hasher.update(pair)
  return finish()
}

/** `innerHash` of two children that stand next to each other, written to a place of the caller's: the tree's inner loop. */
export function innerHashInto(children: Uint8Array, target: Uint8Array, at: number): void {
  hasher.init()
  hasher.update(children)
  target.set(hasher.digest('binary'), at)
}
