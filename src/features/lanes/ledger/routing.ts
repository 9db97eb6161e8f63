/** Owns what routes of transactions follow in a world state: what admission, voters, queries and dry runs ask alike. */
import { accounts } from '../../../executor/accounts.js'
import type { RouteSource } from '../../../executor/contract.js'
import { LANES_ENABLED, parameterAt } from '../../../executor/index.js'
import { dataspacesAt, lanesAt, policyAt } from '../../../lanes/index.js'
import { dataspaceOf, mayUseDataspace } from './gate.js'

export const routeSource: RouteSource = (state, height) => {
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
