/**
 * Owns copies of the state of a node between two inputs: data that `step` changes in place is copied, messages and
 * certificates are shared.
 */
import type { ConsensusState } from '../../consensus/index.js'

const copyValues = <K, V extends object>(map: ReadonlyMap<K, V>): Map<K, V> => {
  const copied = new Map<K, V>()
  for (const [key, value] of map) copied.set(key, { ...value })
  return copied
}

/** Independent copy, ten times as fast as `structuredClone`, which cannot copy the functions of a context. */
export function copyOf(state: ConsensusState): ConsensusState {
  const copied: ConsensusState = {
    ...state,
    candidates: copyValues(state.candidates),
    votes: new Map(),
    firstVotes: new Map(state.firstVotes),
    firstProposals: new Map(state.firstProposals),
    timeouts: new Map(state.timeouts),
    timeoutViewsAggregating: new Set(state.timeoutViewsAggregating),
    pendingSignatures: new Set(state.pendingSignatures),
    activeMembers: new Set(state.activeMembers),
    fetching: state.fetching && { ...state.fetching },
    work: { ...state.work },
    rbc: {
      ...state.rbc,
      sessions: new Map(state.rbc.sessions),
      stash: [...state.rbc.stash],
      counters: { ...state.rbc.counters },
    },
    requests: new Map(state.requests),
    jobs: new Map(state.jobs),
    buffered: [...state.buffered],
    verifiedCertificates: new Set(state.verifiedCertificates),
    certificatesUnderWay: new Map(state.certificatesUnderWay),
    certificatesWaiting: new Map(),
    lastStatusAtMs: new Map(state.lastStatusAtMs),
    sync: { ...state.sync, peers: copyValues(state.sync.peers), blocks: copyValues(state.sync.blocks) },
    pacemaker: { ...state.pacemaker },
    abstention: state.abstention && { ...state.abstention, shown: new Map(state.abstention.shown) },
  }
  for (const [key, set] of state.votes) copied.votes.set(key, { ...set, signatures: new Map(set.signatures) })
  for (const [key, waiting] of state.certificatesWaiting) copied.certificatesWaiting.set(key, new Map(waiting))
  relinkJobs(state, copied)
  return copied
}

/** Relink the jobs of a copy, which refer to sets of votes and synced blocks by identity. */
function relinkJobs(state: ConsensusState, copied: ConsensusState): void {
  for (const [number, job] of state.jobs) {
    if (job.next === 'votesAggregated') {
      for (const [key, set] of state.votes) {
        const own = set === job.set ? copied.votes.get(key) : undefined
        if (own !== undefined) copied.jobs.set(number, { ...job, set: own })
      }
    } else if (job.next === 'syncVerified') {
      const { height } = job.held.block.header
      const own = state.sync.blocks.get(height) === job.held ? copied.sync.blocks.get(height) : undefined
      if (own !== undefined) copied.jobs.set(number, { ...job, held: own })
    }
  }
}
