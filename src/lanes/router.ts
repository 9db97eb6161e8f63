/** Owns the route of a transaction; in single-lane mode always lane 0 and the universal dataspace (specification 1.6). */
import type { TransactionPayload } from '../model/index.js'

/** Lane and dataspace of a transaction. */
export interface RoutingDecision {
  readonly lane: number
  readonly dataspace: bigint
}

/** Why a transaction has no route; it is rejected before the queue. */
export type RouteFault = 'unknown_lane' | 'unknown_dataspace' | 'lane_dataspace_mismatch' | 'no_scoped_rule'

export type Route =
  | { readonly ok: true; readonly decision: RoutingDecision }
  | { readonly ok: false; readonly fault: RouteFault }

/** The one lane of single-lane mode and its alias, from which its segments are named. */
export const SINGLE_LANE = 0
export const SINGLE_LANE_ALIAS = 'default'
/** The dataspace that everything belongs to unless a domain says otherwise. */
export const UNIVERSAL_DATASPACE = 0n

const SINGLE: Route = { ok: true, decision: { lane: SINGLE_LANE, dataspace: UNIVERSAL_DATASPACE } }

/** Routes a transaction. A hint is an order: one that single-lane mode cannot follow rejects. */
export function routeTransaction(payload: TransactionPayload): Route {
  if (payload.dataspace !== undefined && payload.dataspace !== UNIVERSAL_DATASPACE) {
    return { ok: false, fault: 'unknown_dataspace' }
  }
  return SINGLE
}
