/** Owns the vote messages of both phases: Prepare and Commit (docs/design/consensus.md 3). */
import { bytesN, hash32, type Infer, struct, u32, varint } from '../../codec/index.js'
import { BLS_SIGNATURE_BYTES, phase } from '../../model/index.js'

export interface Vote extends Infer<typeof vote> {}
export const vote = struct('Vote', {
  phase,
  height: varint,
  view: u32,
  blockHash: hash32,
  /** Position of the signer in the committee before demotion. */
  index: u32,
  signature: bytesN(BLS_SIGNATURE_BYTES),
})
