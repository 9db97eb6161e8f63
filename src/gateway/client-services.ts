/** Owns the node as the handler of one request sees it: its work on the ledger waits in the turns of the client. */
import type { NodeServices } from '../api/services.js'
import type { QueryDef, TransactionPayload } from '../model/index.js'
import type { Asker, QueryPlace, QueryTurns } from './query-turns.js'

const placeOf = ({ isTrial, isLong }: Pick<QueryDef<unknown, unknown>, 'isTrial' | 'isLong'>): QueryPlace => {
  if (isTrial === true) return 'trial'
  return isLong === true ? 'long' : 'short'
}

/** Services of a node for one request; queries and dry runs are scheduled, others are those of the node. */
export function clientServices(node: NodeServices, turns: QueryTurns, asker: Asker): NodeServices {
  const by = asker.isOperator ? 'node' : 'client'
  const query = <Q, R>(def: QueryDef<Q, R>, input: Q): Promise<R | undefined> =>
    turns.take(asker, () => node.query(def, input, by), placeOf(def))
  const dryRun = (payload: TransactionPayload) => turns.take(asker, () => node.dryRun(payload), 'trial')
  return new Proxy(node, {
    get(_, name) {
      if (name === 'query') return query
      if (name === 'dryRun') return dryRun
      const member: unknown = Reflect.get(node, name, node)
      return typeof member === 'function' ? member.bind(node) : member
    },
  })
}
