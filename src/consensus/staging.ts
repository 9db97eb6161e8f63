/** Owns staging of large payloads on disk: staged and synced before any record that rests on them (docs/design/consensus.md 4). */
import { DIRECT_FANOUT_BYTES } from './payload-limits.js'
import { type Candidate, type ConsensusState, hashKey, type JobOf } from './state.js'
import { type StepContext, startJob } from './step-context.js'

/** Longest payload that goes inside a proposal at this height, in bytes: the limit of this node, or less where many get it. */
export function directLimit({ rbc, context }: ConsensusState): number {
  const others = Math.max(1, context.rosterPeers.length - 1)
  return Math.min(rbc.limits.directBytes, Math.floor(DIRECT_FANOUT_BYTES / others))
}

/** A payload this large stands in the staging segment; a smaller one in the record itself. */
export const isStagedApart = (state: ConsensusState, body: Uint8Array): boolean => body.length > directLimit(state)

/** True when a vote or proposal may rest on this block: its payload is small, or synced in the staging segment. */
export const isReadyToPersist = (state: ConsensusState, candidate: Candidate): boolean =>
  candidate.body !== undefined && (candidate.staging === 'synced' || !isStagedApart(state, candidate.body))

/** Stages what we are about to propose or to vote for, while it is executed. */
export function stageWanted(ctx: StepContext): void {
  const { state } = ctx
  if (state.index === undefined || state.decided !== undefined) return
  if (state.built?.view === state.view) stage(ctx, state.candidates.get(state.built.hash))
  if (state.current?.view === state.view) stage(ctx, state.candidates.get(state.current.hash))
}

function stage(ctx: StepContext, candidate: Candidate | undefined): void {
  if (candidate?.body === undefined || candidate.staging !== 'none' || candidate.status === 'refused') return
  if (!isStagedApart(ctx.state, candidate.body)) return
  candidate.staging = 'writing'
  const { height, payloadHash } = candidate.header
  const job = startJob(ctx, { next: 'staged', payloadHash })
  ctx.effects.push({ type: 'stage', job, height, payloadHash, body: candidate.body })
}

/** A payload is on disk. */
export function onStaged(ctx: StepContext, { payloadHash }: JobOf<'staged'>): void {
  const wanted = hashKey(payloadHash)
  for (const candidate of ctx.state.candidates.values()) {
    if (hashKey(candidate.header.payloadHash) === wanted) candidate.staging = 'synced'
  }
}
