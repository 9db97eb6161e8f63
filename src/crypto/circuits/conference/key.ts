/** Owns the verifying keys of conferences: the public parameters, as one blob for each circuit. */
import { lengthPrefixed, u8, u16 } from '../../sigma/group.js'
import { LIST_MAX } from '../../sigma/membership.js'
import { bases } from '../../sigma/sum.js'
import { type ConferenceCircuit, MAX_SESSION } from './statement.js'

/** Backend of these circuits. */
export const SIGMA_BACKEND = 'sigma-ristretto255'
const BLOB_VERSION = 1
const GROUP = 'ristretto255'
const HASHING = 'expand_message_xmd:SHA-512'

const text = (value: string): Buffer => lengthPrefixed(Buffer.from(value, 'latin1'))

/**
 * Blob of the parameters: u8 version; circuit, group, hashing (u16 length each); u16 longest list; u8 highest session;
 * u8 count of bases; the bases G, H, D, F, h_0 to h_7. Computed, so that a build with other bases has another key and
 * refuses proofs instead of misjudging them.
 */
export function conferenceKeyBlob(circuit: ConferenceCircuit): Buffer {
  const { G, H, D, F, bits } = bases()
  const points = [G, H, D, F, ...bits].map((point) => point.toBytes())
  return Buffer.concat([
    u8(BLOB_VERSION),
    text(circuit),
    text(GROUP),
    text(HASHING),
    u16(LIST_MAX),
    u8(MAX_SESSION),
    u8(points.length),
    ...points,
  ])
}
