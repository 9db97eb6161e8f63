/** Owns staging of large payloads on disk: synced before any record that refers to them (docs/design/consensus.md 4). */
import { DIRECT_FANOUT_BYTES } from './payload-limits.js'
import { type Candidate, type ConsensusState, hashKey, type JobOf } from './state.js'
import { type StepContext, startJob } from './step-context.js'

/** Longest payload inside a proposal at this height, in bytes: the limit of this node, or less with many receivers. */
export function directLimit({ rbc, context }: ConsensusState): number {
  const others = Math.max(1, context.rosterPeers.length - 1)
  return Math.min(rbc.limits.directBytes, Math.floor(DIRECT_FANOUT_BYTES / others))
}

/** True for a payload that is stored in the staging segment instead of the record. */
export const isStagedApart = (state: ConsensusState, body: Uint8Array): boolean => body.length > directLimit(state)

/** True if a vote or proposal may refer to this block: its payload is small, or synced in the staging segment. */
export const isReadyToPersist = (state: ConsensusState, candidate: Candidate): boolean =>
  candidate.body !== undefined && (candidate.staging === 'synced' || !isStagedApart(state, candidate.body))

/** Stage the payload of a proposal or vote in progress, in parallel to its execution. */
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

/** Process the completed staging of a payload. */
export function onStaged(ctx: StepContext, { payloadHash }: JobOf<'staged'>): void {
  const wanted = hashKey(payloadHash)
  for (const candidate of ctx.state.candidates.values()) {
    if (hashKey(candidate.header.payloadHash) === wanted) candidate.staging = 'synced'
  }
}
