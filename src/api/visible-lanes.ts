/** Owns visibility of lanes: which callers see load and settlements (docs/decisions/0028). */
import { dataspaceTotals } from '../lanes/index.js'
import type { LanesStatus } from './services.js'

/** What a caller is told of the lanes: operators all of it, others nothing that is about restricted ones. */
export function visibleLanes(lanes: LanesStatus | undefined, operator: boolean): LanesStatus | undefined {
  if (lanes === undefined || operator || lanes.restricted.size === 0) return lanes
  const isShown = ({ lane }: { readonly lane: number }): boolean => !lanes.restricted.has(lane)
  const commitments = lanes.commitments.filter(isShown)
  return {
    ...lanes,
    commitments,
    // Sums over all lanes would give the hidden ones away.
    dataspaces: dataspaceTotals(commitments),
    settlements: lanes.settlements.filter(isShown),
    envelopes: lanes.envelopes.filter(isShown),
    lanes: lanes.lanes.filter(isShown),
  }
}
