/** Owns the durable records of consensus, which must be on disk before a signature is sent (docs/design/consensus.md 4, Rule W). */
import { bytes, enumOf, type Infer, option, struct, u32, varint } from '../codec/index.js'
import { BODY_MAX_BYTES, blockHeader, certifiedHeader, timeoutCertificate } from '../model/index.js'
import { proposal } from './messages/proposal.js'
import { timeout, vote } from './messages/vote.js'

/** Durable record of one height; records of committed heights are ignored. */
export type DurableRecord = Infer<typeof durableRecord>
export const durableRecord = enumOf('DurableRecord', {
  proposed: [0, struct('ProposedRecord', { height: varint, proposal })],
  prepared: [
    1,
    struct('PreparedRecord', { height: varint, vote, header: blockHeader, body: option(bytes(BODY_MAX_BYTES)) }),
  ],
  locked: [2, struct('LockedRecord', { height: varint, vote, certified: certifiedHeader })],
  timedOut: [3, struct('TimedOutRecord', { height: varint, timeout })],
  entered: [
    4,
    struct('EnteredRecord', {
      height: varint,
      view: u32,
      entry: option(timeoutCertificate),
      highPrepare: option(certifiedHeader),
    }),
  ],
  decided: [5, struct('DecidedRecord', { height: varint, certified: certifiedHeader })],
})
