/** Owns reserved labels: of one domain, or protected in all domains and as ids of domains. */
import { type ExecContext, type Execution, type Rejection, reject } from '../../../executor/contract.js'
import { requirePermission } from '../../../ledger/permissions.js'
import { domains } from '../../../ledger/tables.js'
import { type AccountId, labelFault, type NameId, sameIncarnation, skeletonOf } from '../../../model/index.js'
import type { StateReader } from '../../../state/index.js'
import { events } from '../schema/events.js'
import type { ReserveNames } from '../schema/instructions.js'
import { RESERVATIONS_MAX, type ReservedRow } from '../schema/records.js'
import { managerFault, NAME_PERMISSIONS } from './permissions.js'
import { standingOf } from './resolution.js'
import { reserved } from './tables.js'

/** Domain of the reservations for all domains. */
export const ALL_DOMAINS = ''

/**
 * Reservation of a label in a domain at a header time; undefined if it ended or belongs to a former registration of the
 * domain.
 */
export function reservationOf(
  state: StateReader,
  domain: string,
  label: string,
  timeMs: number,
): ReservedRow | undefined {
  const row = state.get(reserved, { domain, skeleton: skeletonOf(label) })
  if (row === undefined || (row.untilMs !== undefined && timeMs >= row.untilMs)) return undefined
  if (row.incarnation === undefined) return row
  return sameIncarnation(row.incarnation, state.get(domains, domain)?.incarnation) ? row : undefined
}

/** Reason why a given account, or any account, may not have a label in a domain, or undefined. */
export function reservedFault(
  state: StateReader,
  { domain, label }: NameId,
  account: AccountId | undefined,
  timeMs: number,
): Rejection | undefined {
  for (const of of [domain, ALL_DOMAINS]) {
    const row = reservationOf(state, of, label, timeMs)
    if (row !== undefined && (account === undefined || row.assignee !== account))
      return reject('name_reserved', `label ${label} is reserved: ${row.reason}`)
  }
  return undefined
}

/** Reason why the authority may not register a domain of this id, or undefined. */
export function domainIdFault(ctx: ExecContext, id: string): Rejection | undefined {
  const row = ctx.env.genesis ? undefined : reservationOf(ctx, ALL_DOMAINS, id.toLowerCase(), ctx.env.timeMs)
  return row === undefined || row.assignee === ctx.authority
    ? undefined
    : reject('name_reserved', `domain ${id} is reserved: ${row.reason}`)
}

export const reserveNames: Execution<ReserveNames> = {
  cost: {
    base: 96,
    per: [{ teu: 24, item: 'label added or removed', count: ({ add, remove }) => add.length + remove.length }],
  },
  primaryDomain: ({ domain }) => domain,
  execute(ctx, { domain: of, add, remove }) {
    for (const label of [...add.map((one) => one.label), ...remove]) {
      const fault = labelFault(label)
      if (fault !== undefined) return reject('bad_name', `${JSON.stringify(label)}: ${fault}`)
    }
    const home = of === undefined ? undefined : ctx.get(domains, of)
    if (of !== undefined && home === undefined) return reject('absent', `domain ${of} does not exist`)
    const what = 'reserving names'
    const denied =
      of === undefined || home === undefined
        ? requirePermission(ctx, what, undefined, [NAME_PERMISSIONS.CanManageProtectedNames, undefined])
        : managerFault(ctx, of, home, what)
    if (denied) return denied
    if (add.length + remove.length > RESERVATIONS_MAX)
      return reject('name_limit', `an instruction adds and removes at most ${RESERVATIONS_MAX} labels`)
    const domain = of ?? ALL_DOMAINS
    for (const label of remove) ctx.delete(reserved, { domain, skeleton: skeletonOf(label) })
    for (const one of add) {
      const standing = of === undefined ? undefined : standingOf(ctx, { domain, label: one.label }, ctx.env.timeMs)
      if (standing !== undefined && standing !== 'open')
        return reject(
          'name_taken',
          `name ${one.label}@${domain} is leased or assigned; a reservation does not release it`,
        )
      ctx.set(reserved, { domain, skeleton: skeletonOf(one.label) }, { ...one, incarnation: home?.incarnation })
    }
    ctx.emit(events.namesReserved, { domain: of, added: add.map(({ label }) => label), removed: remove })
    return undefined
  },
}
