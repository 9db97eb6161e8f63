/** Owns the node as the handler of one request sees it: what it asks of the ledger takes turns with what others ask. */
import type { NodeServices } from '../api/services.js'
import type { QueryDef } from '../model/index.js'
import type { Asker, QueryTurns } from './query-turns.js'

/** The services of a node for one request; all but its queries are those of the node themselves. */
export function clientServices(node: NodeServices, turns: QueryTurns, asker: Asker): NodeServices {
  const query = <Q, R>(def: QueryDef<Q, R>, input: Q): Promise<R | undefined> =>
    turns.take(asker, () => node.query(def, input), def.isLong)
  return new Proxy(node, {
    get(_, name) {
      if (name === 'query') return query
      const member: unknown = Reflect.get(node, name, node)
      return typeof member === 'function' ? member.bind(node) : member
    },
  })
}
