/** Owns the gateway responses of a halted node. */
import type { AnyRoute } from '../api/index.js'
import type { NodeServices } from '../api/services.js'
import { LedgerError } from '../model/index.js'

type Halting = Pick<NodeServices, 'halted'>

/** `node_halted` if the node halted; its status contains the details of the difference. */
export function haltedError(node: Halting): LedgerError | undefined {
  const halt = node.halted()
  if (halt === undefined) return undefined
  const message = `the node halted at height ${halt.height} and serves only its own state and its blocks`
  return new LedgerError('node_halted', message, { details: { height: halt.height } })
}

/** Reason why a route is not served now: it may depend on a state that is not the certified one. */
export const haltedRefusal = (node: Halting, row: AnyRoute): LedgerError | undefined =>
  row.whileHalted === true ? undefined : haltedError(node)
