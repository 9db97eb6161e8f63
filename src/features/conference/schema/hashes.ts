/**
 * Owns the hashes that bind proofs to the roster, the list or a signal of a call. Ledger and provers compute them
 * identically.
 */
import { hash, merkleRoot } from '../../../crypto/index.js'

function countedRoot(tag: string, leaves: readonly Uint8Array[]): Buffer {
  const count = Buffer.alloc(4)
  count.writeUInt32BE(leaves.length)
  return hash(tag, count, merkleRoot(leaves))
}
/** Root over the commitments of a roster, in order of joins. */
export const rosterRootOf = (commitments: readonly Uint8Array[]): Buffer =>
  countedRoot('conference-roster', commitments)
/** Root over the admitted keys, in order. */
export const admissionRootOf = (keys: readonly Uint8Array[]): Buffer => countedRoot('conference-admission', keys)

/** Hash of a signal in the proof of a member. */
export const signalHash = (kind: string, body: Uint8Array): Buffer =>
  hash('conference-signal', Buffer.from(kind, 'latin1'), body)
