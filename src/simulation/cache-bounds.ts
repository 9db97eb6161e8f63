/**
 * Owns the bounds of a node's caches (docs/design/consensus.md 12, invariant 13), and the assertion that ends a run.
 */
import {
  CHECKS_PER_PEER_MAX,
  type ConsensusState,
  guardOf,
  SYNC_BUFFER_BYTES,
  SYNC_PEERS_MAX,
  SYNC_WINDOW_BLOCKS,
  storedBytes,
  VERIFIED_CERTIFICATES_MAX,
} from '../consensus/index.js'
import { BODY_MAX_BYTES, type ValidatorKey } from '../model/index.js'

/** Violated invariant; its text is the result of the run. */
export class Broken extends Error {}

/** End the run with this text if the condition is false. */
export const claim = (holds: boolean, text: () => string): void => {
  if (!holds) throw new Broken(text())
}

/** Generous multiples of the limits of consensus for a committee of ten. */
const CANDIDATES_MAX = 32
const PARKED_MAX = 10 * 6 * 4
/** Maximum jobs: the share of every peer, and some for own work. */
const JOBS_MAX = 10 * CHECKS_PER_PEER_MAX + 64

/** Invariant 13: all caches of a node are bounded. */
export function cachesWithinBounds(node: number, state: ConsensusState, faultyKeys: ReadonlySet<ValidatorKey>): void {
  claim(state.candidates.size <= CANDIDATES_MAX, () => `node ${node}: ${state.candidates.size} candidates`)
  claim(state.buffered.length <= PARKED_MAX, () => `node ${node}: ${state.buffered.length} parked messages`)
  for (const [peer, checks] of checksByPeer(state)) {
    claim(checks <= CHECKS_PER_PEER_MAX, () => `node ${node}: ${checks} signature checks for ${peer.slice(0, 4)}`)
  }
  claim(state.jobs.size <= JOBS_MAX, () => `node ${node}: ${state.jobs.size} jobs`)
  const remembered = state.verifiedCertificates.size
  claim(remembered <= VERIFIED_CERTIFICATES_MAX, () => `node ${node}: ${remembered} certificates remembered`)
  broadcastBounds(node, state, faultyKeys)
  const { sync } = state
  claim(sync.blocks.size <= SYNC_WINDOW_BLOCKS, () => `node ${node}: ${sync.blocks.size} blocks wait for their turn`)
  claim(sync.bufferedBytes <= SYNC_BUFFER_BYTES, () => `node ${node}: ${sync.bufferedBytes} bytes wait for their turn`)
  claim(sync.peers.size <= SYNC_PEERS_MAX, () => `node ${node}: ${sync.peers.size} sources of blocks`)
}

/** Running signature checks, by the peer that caused them. */
function checksByPeer(state: ConsensusState): Map<ValidatorKey, number> {
  const sums = new Map<ValidatorKey, number>()
  for (const job of state.jobs.values()) {
    if (job.next !== 'messageVerified' && job.next !== 'syncVerified') continue
    sums.set(job.from, (sums.get(job.from) ?? 0) + job.checks)
  }
  return sums
}

/** Invariant 13 for broadcast: sessions, chunks, stash and bytes. Protected data may exceed the hard limit. */
function broadcastBounds(node: number, state: ConsensusState, faultyKeys: ReadonlySet<ValidatorKey>): void {
  const { limits, sessions, stash } = state.rbc
  claim(sessions.size <= limits.sessions, () => `node ${node}: ${sessions.size} sessions`)
  const perPeer = new Map<ValidatorKey, number>()
  for (const one of stash) perPeer.set(one.from, (perPeer.get(one.from) ?? 0) + 1)
  const announced = new Set<string>()
  for (const { height, view, isRecovered, payloadBytes } of sessions.values()) {
    claim(payloadBytes <= BODY_MAX_BYTES, () => `node ${node}: a payload of ${payloadBytes} bytes is announced`)
    if (isRecovered) continue
    claim(!announced.has(`${height}:${view}`), () => `node ${node}: two payloads of height ${height} view ${view}`)
    announced.add(`${height}:${view}`)
  }
  for (const count of perPeer.values()) {
    claim(count <= limits.stashMessages, () => `node ${node}: ${count} messages of one peer wait for a session`)
  }
  let kept = 0
  const guard = guardOf(state)
  for (const session of sessions.values()) {
    const chunks = session.digests.length
    claim(chunks <= limits.chunksPerSession, () => `node ${node}: a session of ${chunks} chunks`)
    claim(
      !session.isInvalid || faultyKeys.has(session.proposer),
      () => `node ${node}: the session of a correct proposer is invalid`,
    )
    if (guard.keeps(session)) kept += session.body?.length ?? session.receivedBytes
  }
  const bytes = storedBytes(state.rbc)
  claim(bytes < limits.storeHardBytes + kept, () => `node ${node}: ${bytes} bytes of broadcast payloads`)
}
