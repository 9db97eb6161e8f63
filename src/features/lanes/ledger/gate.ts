/**
 * Owns the access to restricted dataspaces: by accounts of their domains, by holders of CanUseDataspace, and by guests
 * under the policy `spaceGrants`. Routing checks the dataspace of a transaction; execution checks every instruction and
 * every asset movement.
 */

import { accounts } from '../../../executor/accounts.js'
import {
  type ExecContext,
  type ExecutionGate,
  type GateMove,
  type OpenGate,
  type Rejection,
  type RouteSource,
  reject,
  type SpaceGrants,
} from '../../../executor/contract.js'
import { LANES_ENABLED, parameterAt } from '../../../executor/index.js'
import { dataspacesAt, lanesAt, policyAt, UNIVERSAL_DATASPACE } from '../../../lanes/index.js'
import { holds, tokenFor } from '../../../ledger/permissions.js'
import { domains } from '../../../ledger/tables.js'
import { type AccountId, domainOfDefinition } from '../../../model/index.js'
import type { StateReader } from '../../../state/index.js'
import { LANE_PERMISSIONS } from './permissions.js'

/** Dataspace of a domain; the universal dataspace if the domain does not exist. */
const dataspaceOf = (state: StateReader, domain: string): bigint =>
  state.get(domains, domain)?.dataspace ?? UNIVERSAL_DATASPACE

/** True if an account holds CanUseDataspace for a dataspace. */
const mayUseDataspace = (state: StateReader, account: AccountId, dataspace: bigint): boolean =>
  holds(state, account, tokenFor(state, LANE_PERMISSIONS.CanUseDataspace, String(dataspace)))

/** Decides whether grants admit a guest to a dataspace. */
type Granted = (grants: SpaceGrants, dataspace: bigint) => boolean

/** Restricted dataspaces of one block. */
class RestrictedDataspaces implements OpenGate {
  constructor(
    private readonly restricted: ReadonlySet<bigint>,
    private readonly grants: SpaceGrants | undefined,
  ) {}

  instruction(
    state: StateReader,
    timeMs: number,
    authority: AccountId,
    about: string | readonly string[] | undefined,
    label: string,
  ): Rejection | undefined {
    // Without a domain, the home of the authority applies.
    if (about === undefined) return undefined
    for (const domain of typeof about === 'string' ? [about] : about) {
      const fault = this.fault(state, authority, domain, (grants, dataspace) =>
        grants.instruction(state, timeMs, authority, dataspace, label),
      )
      if (fault !== undefined) return fault
    }
    return undefined
  }

  movement(ctx: ExecContext, move: GateMove): Rejection | undefined {
    return this.fault(ctx, move.source, domainOfDefinition(move.definition), (grants, dataspace) =>
      grants.movement(ctx, move, dataspace),
    )
  }

  wouldMove(state: StateReader, timeMs: number, move: GateMove): Rejection | undefined {
    return this.fault(state, move.source, domainOfDefinition(move.definition), (grants, dataspace) =>
      grants.wouldMove(state, timeMs, move, dataspace),
    )
  }

  /**
   * Rejection of an account in a dataspace. Grants are checked last, so that accounts of its domains and holders of
   * CanUseDataspace cause no further reads.
   */
  private fault(state: StateReader, account: AccountId, domain: string, isGranted: Granted): Rejection | undefined {
    const dataspace = dataspaceOf(state, domain)
    if (!this.restricted.has(dataspace)) return undefined
    const home = state.get(accounts, account)?.domain
    if (home !== undefined && dataspaceOf(state, home) === dataspace) return undefined
    if (mayUseDataspace(state, account, dataspace)) return undefined
    if (this.grants !== undefined && isGranted(this.grants, dataspace)) return undefined
    return reject(
      'space_denied',
      `domain ${domain} belongs to dataspace ${dataspace}, which is restricted to its own accounts, holders of CanUseDataspace and actions that manifests allow`,
    )
  }
}

export const executionGate: ExecutionGate = {
  open(state, height, grants) {
    const restricted = dataspacesAt(state, height).filter((one) => one.restricted)
    if (restricted.length === 0) return undefined
    return new RestrictedDataspaces(new Set(restricted.map(({ id }) => id)), grants)
  },
}

export const routeSource: RouteSource = (state, height, grants) => {
  if (!parameterAt(state, LANES_ENABLED, height)) return undefined
  return {
    lanes: new Map(lanesAt(state, height).map((lane) => [lane.id, lane])),
    dataspaces: new Map(dataspacesAt(state, height).map((dataspace) => [dataspace.id, dataspace])),
    policy: policyAt(state, height),
    home: (account) => state.get(accounts, account)?.domain,
    dataspaceOf: (domain) => dataspaceOf(state, domain),
    mayUse: (account, dataspace) =>
      mayUseDataspace(state, account, dataspace) || grants?.mayUse(state, account, dataspace) === true,
  }
}
