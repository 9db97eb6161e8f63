/** Owns the Timeout message: a member gives up a view and names its highest prepare certificate (docs/design/consensus.md 3). */
import { bytesN, option, type Schema, struct, u32, varint } from '../../codec/index.js'
import {
  BLS_SIGNATURE_BYTES,
  type CertifiedHeader,
  certifiedHeader,
  type TimeoutReason,
  timeoutReason,
} from '../../model/index.js'

export interface Timeout {
  readonly height: number
  readonly view: number
  readonly highPrepare: CertifiedHeader | undefined
  readonly reason: TimeoutReason
  readonly index: number
  readonly signature: Uint8Array
}
const timeout_ = struct('Timeout', {
  height: varint,
  view: u32,
  highPrepare: option(certifiedHeader),
  reason: timeoutReason,
  index: u32,
  signature: bytesN(BLS_SIGNATURE_BYTES),
})
export const timeout: Schema<Timeout> = timeout_

/** View of the certificate that a timeout names + 1, or 0: what its signature covers. */
export const namedView = (highPrepare: CertifiedHeader | undefined): number =>
  highPrepare === undefined ? 0 : highPrepare.certificate.view + 1
