/** Owns the routing inputs of a transaction, derived from its payload and the ABI. */
import { type Route, type RouteFacts, type RouteState, routeTransaction, singleRoute } from '../lanes/index.js'
import type { TransactionPayload } from '../model/index.js'
import { type Abi, definitionOf } from './registry.js'
import { hasRule, ROUTES_IGNORE_ASSERTIONS } from './rules.js'

/** Facts of a payload that decoded under the ABI. */
export function routeFactsOf(
  abi: Abi,
  payload: Pick<TransactionPayload, 'authority' | 'dataspace' | 'executable'>,
): RouteFacts {
  const domains = new Set<string | undefined>()
  const labels = new Set<string>()
  const settles = new Set<string>()
  const ignoresAssertions = hasRule({ abi }, ROUTES_IGNORE_ASSERTIONS)
  for (const instruction of payload.executable.value) {
    const def = definitionOf(abi, instruction)
    const about = def.primaryDomain?.(instruction.value)
    if (typeof about !== 'object') domains.add(about)
    else if (about.length === 0 && ignoresAssertions) continue
    else for (const domain of about) domains.add(domain)
    labels.add(def.label)
    const settled = def.settles?.(instruction.value)
    if (settled !== undefined) settles.add(settled)
  }
  return {
    authority: payload.authority,
    hint: payload.dataspace,
    domains: [...domains],
    labels: [...labels],
    settles: [...settles],
  }
}

/** Route of a payload; in single-lane mode, without a state, its instructions are not read. */
export const routeOfPayload = (abi: Abi, payload: TransactionPayload, state: RouteState | undefined): Route =>
  state === undefined ? singleRoute(payload.dataspace) : routeTransaction(routeFactsOf(abi, payload), state)
