/** Owns the route of a transaction: five stages over the policy, a pure function of the parent state (specification 1.6, rules 1 to 4). */
import { isOneOf } from '../base/guards.js'
import {
  enumOf,
  type Infer,
  list,
  option,
  type Schema,
  string,
  struct,
  text,
  u32,
  varint,
  varintBig,
} from '../codec/index.js'
import { type AccountId, accountId, assetDefinitionId, domainId, INSTRUCTIONS_MAX } from '../model/index.js'
import { ANY_SETTLEMENT, type Dataspace, type Lane, SINGLE_LANE, UNIVERSAL_DATASPACE } from './catalogue.js'
import { matchesLabel, type RoutingPolicy, type RoutingRule } from './policy.js'

/** Lane and dataspace of a transaction. */
export interface RoutingDecision {
  readonly lane: number
  readonly dataspace: bigint
}

/** Routing inputs of a transaction; each list contains every value once. */
export interface RouteFacts extends Infer<typeof routeFacts> {}
export const routeFacts = struct('RouteFacts', {
  authority: accountId,
  /** Dataspace requested by the payload; it is binding. */
  hint: option(varintBig),
  /** Domains of its instructions; undefined means the home domain of the authority. */
  domains: list(option(domainId), INSTRUCTIONS_MAX),
  labels: list(string(64), INSTRUCTIONS_MAX),
  /** Asset definitions of its settlement instructions. */
  settles: list(assetDefinitionId, INSTRUCTIONS_MAX),
})

/** State access of the router. */
export interface RouteState {
  readonly lanes: ReadonlyMap<number, Lane>
  readonly dataspaces: ReadonlyMap<bigint, Dataspace>
  readonly policy: RoutingPolicy
  /** Home domain of an account; undefined when it is not registered. */
  home(account: AccountId): string | undefined
  /** Dataspace of a domain; the universal one for an unknown domain. */
  dataspaceOf(domain: string): bigint
  /** True when the account holds CanUseDataspace for it. */
  mayUse(account: AccountId, dataspace: bigint): boolean
}

/** Routing stage that determined the lane; `single` in single-lane mode. */
export const ROUTE_STAGES = ['single', 'scope', 'settlement', 'account', 'explicit', 'default'] as const
export type RouteStage = (typeof ROUTE_STAGES)[number]

/** Reason why a transaction has no route; it is rejected before the queue. */
export const ROUTE_FAULTS = [
  'unknown_lane',
  'unknown_dataspace',
  'lane_dataspace_mismatch',
  'lane_retired',
  'dataspace_not_permitted',
  'no_scoped_rule',
  'mixed_settlement',
] as const
export type RouteFault = (typeof ROUTE_FAULTS)[number]

/** Schema of one of several words, encoded as text so that error details show it unchanged. */
const oneOf = <T extends string>(name: string, words: readonly T[]): Schema<T> =>
  text(name, 32, (value) => (isOneOf(words, value) ? undefined : `no ${name}`)) as Schema<T>
export const routeStage: Schema<RouteStage> = oneOf('RouteStage', ROUTE_STAGES)
export const routeFault: Schema<RouteFault> = oneOf('RouteFault', ROUTE_FAULTS)
const place = { stage: routeStage, rule: option(varint) }
/** Route decision or fault, with the deciding stage and the index of the rule in the policy, from 0. */
export type Route = Infer<typeof route>
export const route = enumOf('Route', {
  routed: [0, struct('RoutedTransaction', { lane: u32, dataspace: varintBig, ...place })],
  refused: [1, struct('RefusedRoute', { fault: routeFault, ...place })],
})

const SINGLE: Route = {
  kind: 'routed',
  value: { lane: SINGLE_LANE, dataspace: UNIVERSAL_DATASPACE, stage: 'single', rule: undefined },
}

/** Route in single-lane mode; a dataspace hint that cannot be followed rejects the transaction. */
export const singleRoute = (hint: bigint | undefined): Route =>
  hint === undefined || hint === UNIVERSAL_DATASPACE ? SINGLE : fail('unknown_dataspace', 'single')

function fail(fault: RouteFault, stage: RouteStage, rule?: number): Route {
  return { kind: 'refused', value: { fault, stage, rule } }
}

/** Route of a transaction under a state; without a state, single-lane mode. */
export const routeOfFacts = (facts: RouteFacts, state: RouteState | undefined): Route =>
  state === undefined ? singleRoute(facts.hint) : routeTransaction(facts, state)

/** Route a transaction through the five stages; the first that applies decides. */
export function routeTransaction(facts: RouteFacts, state: RouteState): Route {
  const { policy } = state
  const scope = facts.hint ?? scopeOf(facts, state)
  if (scope !== undefined) {
    const dataspace = state.dataspaces.get(scope)
    if (dataspace === undefined) return fail('unknown_dataspace', 'scope')
    if (!isPermitted(facts, dataspace, state)) return fail('dataspace_not_permitted', 'scope')
    const rule = policy.rules.findIndex((one) => one.scope === scope && matches(one, facts, state))
    if (rule >= 0) return resolved((policy.rules[rule] as RoutingRule).lane, scope, 'scope', rule, facts, state)
    if (facts.hint !== undefined) return fail('no_scoped_rule', 'scope')
  }

  const settling = settlementLanes(facts, state)
  if (settling.size > 1) return fail('mixed_settlement', 'settlement')
  const [settlementLane] = settling
  if (settlementLane !== undefined) return resolved(settlementLane, undefined, 'settlement', undefined, facts, state)

  for (const stage of ['account', 'explicit'] as const) {
    const rule = policy.rules.findIndex(
      (one) =>
        one.scope === undefined &&
        (one.instruction === undefined) === (stage === 'account') &&
        matches(one, facts, state),
    )
    if (rule >= 0) return resolved((policy.rules[rule] as RoutingRule).lane, undefined, stage, rule, facts, state)
  }
  return resolved(policy.defaultLane, undefined, 'default', undefined, facts, state)
}

/** The one dataspace, other than the universal one, of all instructions. */
function scopeOf(facts: RouteFacts, state: RouteState): bigint | undefined {
  let scope: bigint | undefined
  for (const domain of facts.domains) {
    const place = domain ?? state.home(facts.authority)
    const dataspace = place === undefined ? UNIVERSAL_DATASPACE : state.dataspaceOf(place)
    if (dataspace === UNIVERSAL_DATASPACE || (scope !== undefined && scope !== dataspace)) return undefined
    scope = dataspace
  }
  return scope
}

/** True if the dataspace is open to all, is the home of the authority, or the authority holds the token. */
function isPermitted(facts: RouteFacts, dataspace: Dataspace, state: RouteState): boolean {
  if (!dataspace.restricted) return true
  const home = state.home(facts.authority)
  if (home !== undefined && state.dataspaceOf(home) === dataspace.id) return true
  return state.mayUse(facts.authority, dataspace.id)
}

function matches(rule: RoutingRule, facts: RouteFacts, state: RouteState): boolean {
  const { account, instruction } = rule
  if (account?.kind === 'account' && account.value !== facts.authority) return false
  if (account?.kind === 'domain' && account.value !== state.home(facts.authority)) return false
  return instruction === undefined || facts.labels.some((label) => matchesLabel(instruction, label))
}

/**
 * Lanes of the settlements of a transaction: the lowest lane that lists the definition, otherwise the lowest lane for
 * all definitions.
 */
function settlementLanes(facts: RouteFacts, state: RouteState): Set<number> {
  const found = new Set<number>()
  if (facts.settles.length === 0) return found
  const lanes = [...state.lanes.values()].filter((lane) => lane.state === 'active').sort((a, b) => a.id - b.id)
  for (const definition of facts.settles) {
    const lane =
      lanes.find((one) => one.settlement.includes(definition)) ??
      lanes.find((one) => one.settlement.includes(ANY_SETTLEMENT))
    if (lane !== undefined) found.add(lane.id)
  }
  return found
}

/** Rule 4: the lane exists, is active and bound to an existing dataspace that the authority may use. */
function resolved(
  id: number,
  scope: bigint | undefined,
  stage: RouteStage,
  rule: number | undefined,
  facts: RouteFacts,
  state: RouteState,
): Route {
  const lane = state.lanes.get(id)
  if (lane === undefined) return fail('unknown_lane', stage, rule)
  if (lane.state === 'retired') return fail('lane_retired', stage, rule)
  const dataspace = state.dataspaces.get(lane.dataspace)
  if (dataspace === undefined) return fail('unknown_dataspace', stage, rule)
  if (scope !== undefined && scope !== dataspace.id) return fail('lane_dataspace_mismatch', stage, rule)
  if (!isPermitted(facts, dataspace, state)) return fail('dataspace_not_permitted', stage, rule)
  return { kind: 'routed', value: { lane: id, dataspace: dataspace.id, stage, rule } }
}
