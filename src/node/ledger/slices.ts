/** Owns the main-thread view of a payload: signed records in place with their hashes, each computed once. */
import type { CodecContext } from '../../codec/index.js'
import {
  blockBody,
  type Evidence,
  type QuorumCertificate,
  type SignedTransaction,
  signedHash,
  transactionId,
} from '../../model/index.js'
import { HASHES_PER_ENTRY_BYTES } from './entries.js'

/** Signed record of a payload. */
export interface SignedSlice {
  readonly id: Buffer
  readonly signedHash: Buffer
  readonly bytes: Uint8Array
  readonly signed: SignedTransaction
}

/** Signed records of a payload with their hashes, flat for the ledger; empty for malformed bytes. */
export function signedSlices(
  body: Uint8Array,
  codec: CodecContext,
): {
  readonly slices: readonly SignedSlice[]
  readonly hashes: Buffer
  readonly parentCertificate: QuorumCertificate | undefined
  readonly evidence: readonly Evidence[]
  readonly ok: boolean
} {
  const decoded = blockBody.decode(body, codec)
  if (!decoded.ok) {
    return { slices: [], hashes: Buffer.alloc(0), parentCertificate: undefined, evidence: [], ok: false }
  }
  const { parentCertificate, evidence } = decoded.value
  const slices = decoded.value.entries.map((entry): SignedSlice => {
    const signed = entry.transaction.value
    return {
      id: transactionId(signed.payload.bytes),
      signedHash: signedHash(entry.transaction.bytes),
      bytes: entry.transaction.bytes,
      signed,
    }
  })
  return { slices, hashes: flatHashes(slices), parentCertificate, evidence, ok: true }
}

/** Hash list of a payload: id and signed hash of each record, 64 bytes each. */
export function flatHashes(slices: readonly { readonly id: Uint8Array; readonly signedHash: Uint8Array }[]): Buffer {
  const hashes = Buffer.alloc(slices.length * HASHES_PER_ENTRY_BYTES)
  for (const [index, slice] of slices.entries()) {
    hashes.set(slice.id, index * HASHES_PER_ENTRY_BYTES)
    hashes.set(slice.signedHash, index * HASHES_PER_ENTRY_BYTES + 32)
  }
  return hashes
}
