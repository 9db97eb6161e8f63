/** Owns the vote tally of the current height and view, from the votes that this node received. */

import type { HeldVotes } from '../../api/index.js'
import { type ConsensusState, setPositions } from '../../consensus/index.js'

/**
 * Positions in the committee, ascending. Votes go to the collectors of a view: another member holds those of a
 * certificate that reached it, and its own.
 */
export function votesOf(state: ConsensusState): HeldVotes {
  const held = { prepare: new Set<number>(), commit: new Set<number>() }
  for (const set of state.votes.values()) {
    if (set.view === state.view) for (const position of set.signatures.keys()) held[set.phase].add(position)
  }
  const certificate = state.highPrepare?.certificate
  const isOurs = certificate?.height === state.context.height && certificate.view === state.view
  if (isOurs) for (const position of setPositions(certificate.bitmap)) held.prepare.add(position)
  const ascending = (positions: Set<number>): number[] => [...positions].toSorted((a, b) => a - b)
  return { prepare: ascending(held.prepare), commit: ascending(held.commit) }
}
