/** Owns the Status message: where a node stands and the certificates that bring a laggard forward (docs/design/consensus.md 3). */
import { type Infer, option, struct, u32, varint } from '../../codec/index.js'
import { certifiedHeader, timeoutCertificate } from '../../model/index.js'

/** Unsigned; what it carries is verified, what it claims is a hint. */
export interface Status extends Infer<typeof status> {}
export const status = struct('Status', {
  /** Height being decided by the sender. */
  height: varint,
  view: u32,
  /** For a receiver below the sender's height: the commit certificate of the receiver's height. */
  commit: option(certifiedHeader),
  /** Else both of these, as far as the sender has them. */
  highPrepare: option(certifiedHeader),
  entry: option(timeoutCertificate),
})
