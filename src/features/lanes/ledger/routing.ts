/** Owns routing against a world state: what admission, voters, queries and dry runs ask alike. */
import { accounts } from '../../../executor/accounts.js'
import { type Abi, LANES_ENABLED, parameterAt, routeFactsOf } from '../../../executor/index.js'
import {
  dataspacesAt,
  lanesAt,
  policyAt,
  type Route,
  type RouteFacts,
  type RouteState,
  routeTransaction,
  singleRoute,
} from '../../../lanes/index.js'
import type { TransactionPayload } from '../../../model/index.js'
import type { StateReader } from '../../../state/index.js'
import { dataspaceOf, mayUseDataspace } from './gate.js'

/** What routes of `height` follow, from the state after the height below; undefined while lanes are off. */
export function routeStateAt(state: StateReader, height: number): RouteState | undefined {
  if (!parameterAt(state, LANES_ENABLED, height)) return undefined
  return {
    lanes: new Map(lanesAt(state, height).map((lane) => [lane.id, lane])),
    dataspaces: new Map(dataspacesAt(state, height).map((dataspace) => [dataspace.id, dataspace])),
    policy: policyAt(state, height),
    home: (account) => state.get(accounts, account)?.domain,
    dataspaceOf: (domain) => dataspaceOf(state, domain),
    mayUse: (account, dataspace) => mayUseDataspace(state, account, dataspace),
  }
}

/** Route of the facts under a state; `undefined` state: single-lane mode. */
export const routeOfFacts = (facts: RouteFacts, state: RouteState | undefined): Route =>
  state === undefined ? singleRoute(facts.hint) : routeTransaction(facts, state)

/** Route of a payload: in single-lane mode its instructions are not even looked at. */
export const routeOfPayload = (abi: Abi, payload: TransactionPayload, state: RouteState | undefined): Route =>
  state === undefined ? singleRoute(payload.dataspace) : routeTransaction(routeFactsOf(abi, payload), state)
