/** Owns the vote messages of both phases: Prepare and Commit (docs/design/consensus.md 3). */
import { bytesN, hash32, type Schema, struct, u32, varint } from '../../codec/index.js'
import { BLS_SIGNATURE_BYTES, type Phase, phase } from '../../model/index.js'

export interface Vote {
  readonly phase: Phase
  readonly height: number
  readonly view: number
  readonly blockHash: Uint8Array
  /** Position of the signer in the committee before demotion. */
  readonly index: number
  readonly signature: Uint8Array
}
const vote_ = struct('Vote', {
  phase,
  height: varint,
  view: u32,
  blockHash: hash32,
  index: u32,
  signature: bytesN(BLS_SIGNATURE_BYTES),
})
export const vote: Schema<Vote> = vote_
