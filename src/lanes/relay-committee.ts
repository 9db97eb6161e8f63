/** Owns relay committees, which have the duty to deliver the envelopes of a lane (docs/design/lanes.md 7). */
import { hash, prfStream } from '../crypto/index.js'
import type { ValidatorKey } from '../model/index.js'
import type { Dataspace } from './catalogue.js'

/** Heights for which one committee delivers. */
export const RELAY_TERM_BLOCKS = 3_600

/** Committee that delivers envelopes. It does not vote: the certificate proves an envelope from any sender. */
export interface RelayCommittee {
  readonly members: readonly ValidatorKey[]
  /** True if the pool is smaller than 3f + 1; all its members then deliver. */
  readonly short: boolean
}

function u64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(value)
  return bytes
}

/**
 * Committee of a lane at a height: `3 * faultTolerance + 1` of the dataspace's relayers, or of the roster if it names
 * none, by Fisher-Yates from hash("relay", chainHash, seed, dataspace, lane, term).
 */
export function relayCommittee(draw: {
  readonly chainHash: Uint8Array
  /** Strong seed of the epoch, or the genesis seed if there is none. */
  readonly seed: Uint8Array
  readonly dataspace: Pick<Dataspace, 'id' | 'faultTolerance' | 'relayers'>
  readonly lane: number
  readonly height: number
  readonly roster: readonly ValidatorKey[]
}): RelayCommittee {
  const { chainHash, seed, dataspace, lane, height, roster } = draw
  const pool = dataspace.relayers.length > 0 ? dataspace.relayers : roster
  const size = 3 * dataspace.faultTolerance + 1
  const term = BigInt(Math.floor(height / RELAY_TERM_BLOCKS))
  const key = hash('relay', chainHash, seed, u64(dataspace.id), u64(BigInt(lane)), u64(term))
  return { members: prfStream(key).shuffle(pool).slice(0, size), short: pool.length < size }
}
