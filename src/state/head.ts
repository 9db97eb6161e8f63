/** Owns the head of the state database: the last commit, and the layout of the tree. */
import type { StateBackend } from './backend.js'
import { prefixedDbKey, SPACE } from './key-space.js'
import { EMPTY_HASH } from './proof.js'

/** Layouts of the state database: buckets of one depth, and moved buckets. Other layouts are refused. */
const [LAYOUT, DEEPENED_LAYOUT] = [1, 2]
export const HEAD_KEY = prefixedDbKey(SPACE.meta, Buffer.from('head', 'ascii'))

/** Last commit. */
export interface Head {
  readonly sequence: number
  readonly height: number
  readonly treeBits: number
  /** Deepened buckets. */
  readonly moved: number
  readonly root: Buffer
}

/** Bytes of a head before its root. */
const HEAD_BYTES = 14
const MOVED_BYTES = 4

export function encodeHead({ sequence, height, treeBits, moved, root }: Head): Buffer {
  const out = Buffer.alloc(HEAD_BYTES)
  out[0] = moved === 0 ? LAYOUT : DEEPENED_LAYOUT
  out[1] = treeBits
  out.writeUIntBE(sequence, 2, 6)
  out.writeUIntBE(height, 8, 6)
  if (moved === 0) return Buffer.concat([out, root])
  const more = Buffer.alloc(MOVED_BYTES)
  more.writeUInt32BE(moved)
  return Buffer.concat([out, more, root])
}

export function decodeHead(bytes: Buffer): Head {
  const isDeepened = bytes[0] === DEEPENED_LAYOUT
  const rootAt = HEAD_BYTES + (isDeepened ? MOVED_BYTES : 0)
  if ((bytes[0] !== LAYOUT && !isDeepened) || bytes.length !== rootAt + EMPTY_HASH.length) {
    throw new Error(
      `the state database has layout ${bytes[0] ?? 'none'}, this release reads ${LAYOUT} and ${DEEPENED_LAYOUT}`,
    )
  }
  return {
    treeBits: bytes[1]!,
    sequence: bytes.readUIntBE(2, 6),
    height: bytes.readUIntBE(8, 6),
    moved: isDeepened ? bytes.readUInt32BE(HEAD_BYTES) : 0,
    root: Buffer.from(bytes.subarray(rootAt)),
  }
}

/** Height and root of the state in a backend, without opening it; undefined for an empty one. */
export function stateHead(backend: StateBackend): { readonly height: number; readonly root: Buffer } | undefined {
  const stored = backend.getSync(HEAD_KEY)
  return stored === undefined ? undefined : decodeHead(stored)
}
