/** Owns recovery of the state from the durable records after a restart (docs/design/consensus.md 8). */

import { type BlockHeader, type CertifiedHeader, hashOfHeader, type ValidatorKey } from '../model/index.js'
import type { AbstentionCause } from './abstention.js'
import type { HeightContext } from './height.js'
import { DEFAULT_PAYLOAD_LIMITS, type PayloadLimits } from './payload-limits.js'
import type { DurableRecord } from './record.js'
import { type Candidate, type ConsensusState, type HashKey, hashKey, newCandidate, newState } from './state.js'
import { highView } from './step-context.js'

/** Height that a record belongs to. */
export const heightOfRecord = (record: DurableRecord): number => record.value.height

/** Payloads available at a restart. */
export interface RecoveredPayloads {
  readonly limits: PayloadLimits
  /** Staged payloads by their hash (latin1). */
  readonly staged: ReadonlyMap<HashKey, Uint8Array>
}
const NO_PAYLOADS: RecoveredPayloads = { limits: DEFAULT_PAYLOAD_LIMITS, staged: new Map() }

/** Restore the state at `context` from the records of its height; records of other heights are ignored. */
export function recoverState(
  self: ValidatorKey,
  context: HeightContext,
  records: Iterable<DurableRecord>,
  nowMs: number,
  abstaining: AbstentionCause | undefined = undefined,
  payloads: RecoveredPayloads = NO_PAYLOADS,
): ConsensusState {
  const state = newState(self, context, nowMs, abstaining, payloads.limits)
  // The records of an abstaining node may be incomplete, so it uses none of them.
  if (abstaining !== undefined) return state
  for (const record of records) if (heightOfRecord(record) === context.height) replay(state, record, payloads)
  return state
}

function candidateOf(state: ConsensusState, header: BlockHeader): Candidate {
  const hash = hashKey(hashOfHeader(header))
  const known = state.candidates.get(hash)
  if (known !== undefined) return known
  const fresh = newCandidate(hash, header, undefined)
  state.candidates.set(hash, fresh)
  return fresh
}

/** Candidate of a block that this node signed for, with its payload from the record or the staging segment. */
function candidateWithBody(
  state: ConsensusState,
  header: BlockHeader,
  body: Uint8Array | undefined,
  { staged }: RecoveredPayloads,
): Candidate {
  const candidate = candidateOf(state, header)
  const found = staged.get(hashKey(header.payloadHash))
  if (found !== undefined) candidate.staging = 'synced'
  candidate.body ??= body ?? found
  return candidate
}

function raise(state: ConsensusState, certified: CertifiedHeader | undefined): void {
  if (certified === undefined) return
  candidateOf(state, certified.header)
  if (highView(certified) > highView(state.highPrepare)) state.highPrepare = certified
}

function replay(state: ConsensusState, record: DurableRecord, payloads: RecoveredPayloads): void {
  state.active = true
  switch (record.kind) {
    case 'proposed': {
      const { proposal } = record.value
      const candidate = candidateWithBody(state, proposal.header, proposal.body, payloads)
      state.view = Math.max(state.view, proposal.view)
      state.lastProposal = { view: proposal.view, proposal }
      // The prepare vote follows in a record of its own, which a torn append loses and a re-proposal writes later.
      state.current = { view: proposal.view, hash: candidate.hash }
      return
    }
    case 'prepared': {
      const { vote, header, body } = record.value
      const candidate = candidateWithBody(state, header, body, payloads)
      state.view = Math.max(state.view, vote.view)
      state.prepared = { view: vote.view, vote }
      state.current = { view: vote.view, hash: candidate.hash }
      return
    }
    case 'locked': {
      const { vote, certified } = record.value
      raise(state, certified)
      state.view = Math.max(state.view, vote.view)
      state.locked = { view: vote.view, vote }
      return
    }
    case 'timedOut': {
      const { timeout } = record.value
      raise(state, timeout.highPrepare)
      state.view = Math.max(state.view, timeout.view)
      state.timedOut = { view: timeout.view, timeout }
      return
    }
    case 'entered': {
      const { view, entry, highPrepare } = record.value
      raise(state, highPrepare)
      if (view >= state.view) state.entry = entry
      state.view = Math.max(state.view, view)
      return
    }
    case 'decided': {
      candidateOf(state, record.value.certified.header)
      state.decided = record.value.certified
      return
    }
  }
}
