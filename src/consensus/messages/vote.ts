/** Owns the signed messages of a view: votes of both phases, and timeouts (docs/design/consensus.md 3). */
import { bytesN, hash32, type Infer, option, struct, u32, varint } from '../../codec/index.js'
import { BLS_SIGNATURE_BYTES, type CertifiedHeader, certifiedHeader, phase, timeoutReason } from '../../model/index.js'

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

/** Timeout of a view by a member, with its highest prepare certificate. */
export interface Timeout extends Infer<typeof timeout> {}
export const timeout = struct('Timeout', {
  height: varint,
  view: u32,
  highPrepare: option(certifiedHeader),
  reason: timeoutReason,
  index: u32,
  signature: bytesN(BLS_SIGNATURE_BYTES),
})

/** View of the certificate named by a timeout plus 1, or 0 without one; covered by its signature. */
export const namedView = (highPrepare: CertifiedHeader | undefined): number =>
  highPrepare === undefined ? 0 : highPrepare.certificate.view + 1
