/** Owns the Status message: where a node stands and the certificates that bring a laggard forward (docs/design/consensus.md 3). */
import { option, type Schema, struct, u32, varint } from '../../codec/index.js'
import {
  type CertifiedHeader,
  certifiedHeader,
  type TimeoutCertificate,
  timeoutCertificate,
} from '../../model/index.js'

/** Unsigned; what it carries is verified, what it claims is a hint. */
export interface Status {
  /** Height being decided by the sender. */
  readonly height: number
  readonly view: number
  /** For a receiver below the sender's height: the commit certificate of the receiver's height. */
  readonly commit: CertifiedHeader | undefined
  /** Else both of these, as far as the sender has them. */
  readonly highPrepare: CertifiedHeader | undefined
  readonly entry: TimeoutCertificate | undefined
}
const status_ = struct('Status', {
  height: varint,
  view: u32,
  commit: option(certifiedHeader),
  highPrepare: option(certifiedHeader),
  entry: option(timeoutCertificate),
})
export const status: Schema<Status> = status_
