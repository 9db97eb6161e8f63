/** Owns the inputs of routing and of the gate: from the payload of a transaction, the ABI and the state. */
import { type Route, type RouteFacts, type RouteState, routeTransaction, singleRoute } from '../lanes/index.js'
import type { TransactionPayload } from '../model/index.js'
import type { StateReader } from '../state/index.js'
import type { OpenGate, Policies } from './contract.js'
import { type Abi, definitionOf } from './registry.js'
import { hasRule, ROUTES_IGNORE_ASSERTIONS } from './rules.js'

/** Routes at a height, from the state after the height below; undefined: single-lane mode. */
export const routesAt = (
  { routeSource, spaceGrants }: Policies,
  state: StateReader,
  height: number,
): RouteState | undefined => routeSource?.(state, height, spaceGrants)

/** Restrictions of the block of a height, from its state; undefined: none. */
export const gateAt = (
  { executionGate, spaceGrants }: Policies,
  state: StateReader,
  height: number,
  grants = spaceGrants,
): OpenGate | undefined => executionGate?.open(state, height, grants)

/** Facts of a payload that the ABI decoded. */
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
