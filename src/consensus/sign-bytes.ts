/** Owns the bytes that validators sign: bound to chain, committee, epoch, height and view (docs/design/consensus.md 3). */
import { type Phase, TIMEOUT_REASON_CODES, type TimeoutReason } from '../model/index.js'

/** Fields that every signed consensus message is bound to. */
export interface SignDomain {
  readonly chainHash: Uint8Array
  readonly committeeHash: Uint8Array
  readonly epoch: number
  readonly height: number
}

const KIND_PROPOSAL = 1
const KIND_PREPARE = 2
const KIND_COMMIT = 3
const KIND_TIMEOUT = 4

const PREFIX = Buffer.from('CNS1', 'ascii')
const HEAD_BYTES = 4 + 1 + 32 + 32 + 8 + 8 + 4

function head(kind: number, domain: SignDomain, view: number, bodyBytes: number): Buffer {
  const out = Buffer.alloc(HEAD_BYTES + bodyBytes)
  PREFIX.copy(out, 0)
  out.writeUInt8(kind, 4)
  out.set(domain.chainHash, 5)
  out.set(domain.committeeHash, 37)
  out.writeBigUInt64BE(BigInt(domain.epoch), 69)
  out.writeBigUInt64BE(BigInt(domain.height), 77)
  out.writeUInt32BE(view, 85)
  return out
}

/** Bytes that a proposer signs. */
export function proposalSignBytes(domain: SignDomain, view: number, blockHash: Uint8Array): Buffer {
  const out = head(KIND_PROPOSAL, domain, view, 32)
  out.set(blockHash, HEAD_BYTES)
  return out
}

/** Bytes of a vote: the same for all signers, so that votes aggregate. */
export function voteSignBytes(domain: SignDomain, phase: Phase, view: number, blockHash: Uint8Array): Buffer {
  const out = head(phase === 'prepare' ? KIND_PREPARE : KIND_COMMIT, domain, view, 32)
  out.set(blockHash, HEAD_BYTES)
  return out
}

/** Bytes of a timeout: `certificateView` is the view of the highest prepare certificate + 1, or 0. */
export function timeoutSignBytes(
  domain: SignDomain,
  view: number,
  certificateView: number,
  reason: TimeoutReason,
): Buffer {
  const out = head(KIND_TIMEOUT, domain, view, 5)
  out.writeUInt32BE(certificateView, HEAD_BYTES)
  out.writeUInt8(TIMEOUT_REASON_CODES[reason], HEAD_BYTES + 4)
  return out
}
