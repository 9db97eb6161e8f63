/** Owns equivocation reports: two contradicting messages of one member become evidence, its signatures still to be verified. */
import { compareBytes } from '../../codec/index.js'
import type {
  Evidence,
  QuorumCertificate,
  SignedProposal,
  SignedTimeout,
  SignedVote,
  ValidatorKey,
} from '../../model/index.js'
import { setPositions } from '../bitmap.js'
import { checkQuorumCertificate } from '../certificate.js'
import { namedView, type Timeout, type Vote } from '../messages/index.js'
import type { ParentRecord } from '../parent-certificate.js'
import type { StepContext } from '../step-context.js'

/** `from`: peer at fault if a signature is bad; undefined if all were verified. */
function reportEquivocation(ctx: StepContext, evidence: Evidence, from: ValidatorKey | undefined): void {
  ctx.effects.push({ type: 'reportEquivocation', evidence, from })
}

/** Member of this height that signed a message; votes and timeouts arrive only over the link of their signer. */
const memberAt = (ctx: StepContext, index: number): ValidatorKey | undefined => ctx.state.context.committee.keys[index]

/** Both messages in canonical order, or undefined if they agree. */
function ordered<T>(a: T, b: T, order: number): { readonly first: T; readonly second: T } | undefined {
  if (order === 0) return undefined
  return order < 0 ? { first: a, second: b } : { first: b, second: a }
}

const signedVoteOf = ({ phase, view, blockHash, signature }: Vote): SignedVote => ({
  phase,
  view,
  blockHash,
  signature,
})
const signedTimeoutOf = ({ view, highPrepare, reason, signature }: Timeout): SignedTimeout => ({
  view,
  certificateView: namedView(highPrepare),
  reason,
  signature,
})

/** Two votes of one member in one phase and view; votes are not verified one by one. */
export function reportDoubleVote(ctx: StepContext, one: Vote, other: Vote): void {
  const pair = ordered(signedVoteOf(one), signedVoteOf(other), compareBytes(one.blockHash, other.blockHash))
  if (pair === undefined) return
  const { height, index } = one
  reportEquivocation(ctx, { height, index, proof: { kind: 'doubleVote', value: pair } }, memberAt(ctx, index))
}

/** Two proposals of one member in one view. */
export function reportDoubleProposal(
  ctx: StepContext,
  index: number,
  one: SignedProposal,
  other: SignedProposal,
): void {
  const pair = ordered(one, other, compareBytes(one.blockHash, other.blockHash))
  if (pair === undefined) return
  const { height } = ctx.state.context
  reportEquivocation(ctx, { height, index, proof: { kind: 'doubleProposal', value: pair } }, undefined)
}

/** Two timeouts of one member in one view; the second one is not verified. */
export function reportDoubleTimeout(ctx: StepContext, one: Timeout, other: Timeout): void {
  const a = signedTimeoutOf(one)
  const b = signedTimeoutOf(other)
  const byReason = a.reason === b.reason ? 0 : a.reason < b.reason ? -1 : 1
  const pair = ordered(a, b, a.certificateView - b.certificateView || byReason)
  if (pair === undefined) return
  const { height, index } = one
  reportEquivocation(ctx, { height, index, proof: { kind: 'doubleTimeout', value: pair } }, memberAt(ctx, index))
}

/** Commit vote, which is not verified, and a timeout of the same or a later view that names a lower certificate. */
export function reportLockAmnesia(ctx: StepContext, commit: Vote, timeout: Timeout): void {
  if (timeout.view < commit.view || namedView(timeout.highPrepare) > commit.view) return
  const { height, index } = commit
  const value = { commit: signedVoteOf(commit), timeout: signedTimeoutOf(timeout) }
  reportEquivocation(ctx, { height, index, proof: { kind: 'lockAmnesia', value } }, memberAt(ctx, index))
}

/**
 * Report commit certificates of two blocks of one height: every member that signed both is guilty. Our certificate was verified. The
 * other is structurally valid; a bad signature is the fault of its sender, because a correct peer forwards only certificates that
 * it verified.
 */
export function reportConflictingCommits(
  ctx: StepContext,
  from: ValidatorKey,
  { held, shown }: { readonly held: QuorumCertificate; readonly shown: QuorumCertificate },
  by: Pick<ParentRecord, 'committee' | 'domain'>,
): void {
  const byHash = compareBytes(held.blockHash, shown.blockHash)
  if (shown.phase !== 'commit' || byHash === 0 || held.height !== shown.height) return
  if ('fault' in checkQuorumCertificate(shown, by.committee, by.domain)) return
  const pair = ordered(held, shown, held.view - shown.view || byHash)
  if (pair === undefined) return
  const both = new Set(setPositions(shown.bitmap))
  for (const index of setPositions(held.bitmap)) {
    if (!both.has(index)) continue
    reportEquivocation(ctx, { height: held.height, index, proof: { kind: 'conflictingCommits', value: pair } }, from)
  }
}
