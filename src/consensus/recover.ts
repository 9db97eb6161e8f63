/** Owns the way back from the durable records after a restart (design/consensus.md 8). */

import type { BlockHeader, CertifiedHeader } from '../model/index.js'
import { hashOfHeader, type ValidatorKey } from '../model/index.js'
import type { HeightContext } from './height.js'
import type { DurableRecord } from './record.js'
import { type Candidate, type ConsensusState, hashKey, newState } from './state.js'
import { highView } from './turn.js'

/** Height that a record belongs to. */
export const heightOfRecord = (record: DurableRecord): number => record.value.height

/** State at `context` with everything that the records say about its height; records of other heights are dead. */
export function recoverState(
  self: ValidatorKey,
  context: HeightContext,
  records: Iterable<DurableRecord>,
  nowMs: number,
  abstaining = false,
): ConsensusState {
  const state = newState(self, context, nowMs, abstaining)
  // What an abstaining node finds may be a part of what it signed; it rests on none of it.
  if (abstaining) return state
  for (const record of records) if (heightOfRecord(record) === context.height) replay(state, record)
  return state
}

function know(state: ConsensusState, header: BlockHeader, body: Uint8Array | undefined): Candidate {
  const hash = hashKey(hashOfHeader(header))
  const known = state.candidates.get(hash)
  if (known !== undefined) {
    known.body ??= body
    return known
  }
  const fresh: Candidate = { hash, header, body, status: 'waiting', timely: true, refusal: undefined }
  state.candidates.set(hash, fresh)
  return fresh
}

function raise(state: ConsensusState, certified: CertifiedHeader | undefined): void {
  if (certified === undefined) return
  know(state, certified.header, undefined)
  if (highView(certified) > highView(state.highPrepare)) state.highPrepare = certified
}

function replay(state: ConsensusState, record: DurableRecord): void {
  state.active = true
  switch (record.kind) {
    case 'proposed': {
      const { proposal, body } = record.value
      know(state, proposal.header, body)
      state.view = Math.max(state.view, proposal.view)
      state.lastProposal = { view: proposal.view, proposal }
      return
    }
    case 'prepared': {
      const { vote, header, body } = record.value
      const candidate = know(state, header, body)
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
      know(state, record.value.certified.header, undefined)
      state.decided = record.value.certified
      return
    }
  }
}
