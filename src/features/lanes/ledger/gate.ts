/**
 * Owns the access to restricted dataspaces: for accounts of their domains and holders of CanUseDataspace. Routing
 * checks the one dataspace of a transaction; execution checks every instruction and every movement of value.
 */

import { accounts } from '../../../executor/accounts.js'
import {
  type ExecutionGate,
  type OpenGate,
  type Rejection,
  type RouteSource,
  reject,
} from '../../../executor/contract.js'
import { LANES_ENABLED, parameterAt } from '../../../executor/index.js'
import { dataspacesAt, lanesAt, policyAt, UNIVERSAL_DATASPACE } from '../../../lanes/index.js'
import { holds, tokenFor } from '../../../ledger/permissions.js'
import { domains } from '../../../ledger/tables.js'
import { type AccountId, domainOfDefinition } from '../../../model/index.js'
import type { StateReader } from '../../../state/index.js'
import { LANE_PERMISSIONS } from './permissions.js'

/** Dataspace of a domain; the universal one for a domain that does not exist (yet). */
const dataspaceOf = (state: StateReader, domain: string): bigint =>
  state.get(domains, domain)?.dataspace ?? UNIVERSAL_DATASPACE

/** Whether an account holds CanUseDataspace for a dataspace. */
const mayUseDataspace = (state: StateReader, account: AccountId, dataspace: bigint): boolean =>
  holds(state, account, tokenFor(state, LANE_PERMISSIONS.CanUseDataspace, String(dataspace)))

/** The restricted dataspaces of one block. */
class RestrictedDataspaces implements OpenGate {
  constructor(private readonly restricted: ReadonlySet<bigint>) {}

  instruction(
    state: StateReader,
    authority: AccountId,
    about: string | readonly string[] | undefined,
  ): Rejection | undefined {
    // Without a domain it is about the authority, who is at home where it is.
    if (about === undefined) return undefined
    if (typeof about === 'string') return this.fault(state, authority, about)
    for (const domain of about) {
      const fault = this.fault(state, authority, domain)
      if (fault !== undefined) return fault
    }
    return undefined
  }

  movement(state: StateReader, source: AccountId, definition: string): Rejection | undefined {
    return this.fault(state, source, domainOfDefinition(definition))
  }

  private fault(state: StateReader, account: AccountId, domain: string): Rejection | undefined {
    const dataspace = dataspaceOf(state, domain)
    if (!this.restricted.has(dataspace)) return undefined
    const home = state.get(accounts, account)?.domain
    if (home !== undefined && dataspaceOf(state, home) === dataspace) return undefined
    if (mayUseDataspace(state, account, dataspace)) return undefined
    return reject(
      'space_denied',
      `domain ${domain} belongs to dataspace ${dataspace}, which is restricted to its own accounts and holders of CanUseDataspace`,
    )
  }
}

export const executionGate: ExecutionGate = {
  open(state, height) {
    const restricted = dataspacesAt(state, height).filter((one) => one.restricted)
    return restricted.length === 0 ? undefined : new RestrictedDataspaces(new Set(restricted.map(({ id }) => id)))
  },
}

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
