/** Owns the durable records of consensus: what must be on disk before a signature may leave (docs/design/consensus.md 4, Rule W). */
import { bytes, enumOf, option, type Schema, struct, u32, varint } from '../codec/index.js'
import {
  type BlockHeader,
  BODY_MAX_BYTES,
  blockHeader,
  type CertifiedHeader,
  certifiedHeader,
  type TimeoutCertificate,
  timeoutCertificate,
} from '../model/index.js'
import { type Proposal, proposal } from './messages/proposal.js'
import { type Timeout, timeout } from './messages/timeout.js'
import { type Vote, vote } from './messages/vote.js'

/** One durable record; every record names its height, and those of committed heights are dead. */
export type DurableRecord =
  /** Own proposal: a restart must propose the same again. Its payload stands in it, or was staged before. */
  | { readonly kind: 'proposed'; readonly value: { readonly height: number; readonly proposal: Proposal } }
  /** Own prepare vote with the whole block: without it a power failure of all halts the chain for ever. */
  | {
      readonly kind: 'prepared'
      readonly value: {
        readonly height: number
        readonly vote: Vote
        readonly header: BlockHeader
        /** Absent when the proposal in the same append has it, or when it was staged before. */
        readonly body: Uint8Array | undefined
      }
    }
  /** Own commit vote with the prepare certificate that allows it. */
  | {
      readonly kind: 'locked'
      readonly value: { readonly height: number; readonly vote: Vote; readonly certified: CertifiedHeader }
    }
  /** Own timeout with the highest prepare certificate that it names. */
  | { readonly kind: 'timedOut'; readonly value: { readonly height: number; readonly timeout: Timeout } }
  /** A view entered by certificate. */
  | {
      readonly kind: 'entered'
      readonly value: {
        readonly height: number
        readonly view: number
        readonly entry: TimeoutCertificate | undefined
        readonly highPrepare: CertifiedHeader | undefined
      }
    }
  /** A commit certificate whose payload may still be missing. */
  | { readonly kind: 'decided'; readonly value: { readonly height: number; readonly certified: CertifiedHeader } }

const durableRecord_ = enumOf('DurableRecord', {
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
export const durableRecord: Schema<DurableRecord> = durableRecord_
