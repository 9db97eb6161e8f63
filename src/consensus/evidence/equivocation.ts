/** Owns equivocation reports: two contradicting messages of one member become evidence, its signatures still to be verified. */
import { compareBytes } from '../../codec/index.js'
import type { Evidence, QuorumCertificate, SignedProposal, SignedTimeout, SignedVote } from '../../model/index.js'
import { setPositions } from '../bitmap.js'
import { namedView, type Timeout, type Vote } from '../messages/index.js'
import type { StepContext } from '../step-context.js'

const reportEquivocation = (ctx: StepContext, height: number, index: number, proof: Evidence['proof']): void => {
  ctx.effects.push({ type: 'reportEquivocation', evidence: { height, index, proof } })
}

/** The two in their one order, or undefined when they say the same. */
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

/** Two votes of one member in one phase and view; votes come over its own link alone, and are not verified one by one. */
export function reportDoubleVote(ctx: StepContext, one: Vote, other: Vote): void {
  const pair = ordered(signedVoteOf(one), signedVoteOf(other), compareBytes(one.blockHash, other.blockHash))
  const from = ctx.state.context.committee.keys[one.index]
  if (pair === undefined || from === undefined) return
  const evidence = { height: one.height, index: one.index, proof: { kind: 'doubleVote', value: pair } } as const
  ctx.effects.push({ type: 'reportEquivocation', evidence, from })
}

/** Two proposals of one member in one view. */
export function reportDoubleProposal(
  ctx: StepContext,
  index: number,
  one: SignedProposal,
  other: SignedProposal,
): void {
  const pair = ordered(one, other, compareBytes(one.blockHash, other.blockHash))
  if (pair !== undefined)
    reportEquivocation(ctx, ctx.state.context.height, index, { kind: 'doubleProposal', value: pair })
}

/** Two timeouts of one member in one view. */
export function reportDoubleTimeout(ctx: StepContext, one: Timeout, other: Timeout): void {
  const a = signedTimeoutOf(one)
  const b = signedTimeoutOf(other)
  const byReason = a.reason === b.reason ? 0 : a.reason < b.reason ? -1 : 1
  const pair = ordered(a, b, a.certificateView - b.certificateView || byReason)
  if (pair !== undefined) reportEquivocation(ctx, one.height, one.index, { kind: 'doubleTimeout', value: pair })
}

/** A commit vote, and a timeout of that view or a later one that names a lower certificate. */
export function reportLockAmnesia(ctx: StepContext, commit: Vote, timeout: Timeout): void {
  if (timeout.view < commit.view || namedView(timeout.highPrepare) > commit.view) return
  const value = { commit: signedVoteOf(commit), timeout: signedTimeoutOf(timeout) }
  reportEquivocation(ctx, commit.height, commit.index, { kind: 'lockAmnesia', value })
}

/** Commit certificates of two blocks of one height: all who signed both are guilty. */
export function reportConflictingCommits(ctx: StepContext, one: QuorumCertificate, other: QuorumCertificate): void {
  const byHash = compareBytes(one.blockHash, other.blockHash)
  if (byHash === 0 || one.height !== other.height) return
  const pair = ordered(one, other, one.view - other.view || byHash)
  if (pair === undefined) return
  const both = new Set(setPositions(other.bitmap))
  for (const index of setPositions(one.bitmap)) {
    if (both.has(index)) reportEquivocation(ctx, one.height, index, { kind: 'conflictingCommits', value: pair })
  }
}
