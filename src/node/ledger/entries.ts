/** Owns the entries of a body for execution: decoded in place, with the hashes from the main thread. */
import type { CodecContext } from '../../codec/index.js'
import type { ExecutableEntry } from '../../executor/index.js'
import { type BlockBody, blockBody } from '../../model/index.js'

/** Bytes per entry in a hash list: transaction id, then signed hash. */
export const HASHES_PER_ENTRY_BYTES = 64

/** Decoded body, or its fault. */
export type OpenedBody =
  | { readonly ok: true; readonly body: BlockBody; readonly entries: ExecutableEntry[] }
  | { readonly ok: false; readonly detail: string }

/** Decode a body and pair its entries with their hashes. */
export function openBody(bytes: Uint8Array, hashes: Uint8Array, codec: CodecContext): OpenedBody {
  const decoded = blockBody.decode(bytes, codec)
  if (!decoded.ok) return { ok: false, detail: `the payload does not decode: ${decoded.fault.message}` }
  const body = decoded.value
  if (hashes.length !== body.entries.length * HASHES_PER_ENTRY_BYTES) {
    return { ok: false, detail: 'the number of hashes differs from the number of entries' }
  }
  const entries = body.entries.map((entry, index): ExecutableEntry => {
    const at = index * HASHES_PER_ENTRY_BYTES
    return {
      lane: entry.lane,
      dataspace: entry.dataspace,
      id: hashes.subarray(at, at + 32),
      signedHash: hashes.subarray(at + 32, at + 64),
      signedBytes: entry.transaction.bytes,
      signed: entry.transaction.value,
    }
  })
  return { ok: true, body, entries }
}
