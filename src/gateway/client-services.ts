/** Owns the services of a node for one request; their ledger work is scheduled fairly between clients. */
import type { NodeServices } from '../api/services.js'
import type { QueryDef, TransactionPayload } from '../model/index.js'
import type { Asker, QueryPlace, QueryTurns } from './query-turns.js'

const placeOf = ({ isTrial, isLong }: Pick<QueryDef<unknown, unknown>, 'isTrial' | 'isLong'>): QueryPlace => {
  if (isTrial === true) return 'trial'
  return isLong === true ? 'long' : 'short'
}

/**
 * Services of a node for one request. Queries and dry runs are scheduled; all others are the unchanged services of the
 * node.
 */
export function clientServices(node: NodeServices, turns: QueryTurns, asker: Asker): NodeServices {
  const by = asker.isOperator ? 'node' : 'client'
  return {
    ...node,
    query: <Q, R>(def: QueryDef<Q, R>, input: Q) => turns.take(asker, () => node.query(def, input, by), placeOf(def)),
    dryRun: (payload: TransactionPayload) => turns.take(asker, () => node.dryRun(payload), 'trial'),
  }
}
