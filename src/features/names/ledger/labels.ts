/** Owns the labels of accounts as names: each is an assigned name of its domain. */
import { type AliasLabels, type ExecContext, type Rejection, reject } from '../../../executor/contract.js'
import { takenLabel } from '../../../ledger/accounts.js'
import { domains } from '../../../ledger/tables.js'
import { labelFault, type NameId, nameText } from '../../../model/index.js'
import { policyOf } from './policies.js'
import { reservedFault } from './reservations.js'
import { accountOfAlias, standingOf } from './resolution.js'
import { addSkeleton, discount, dropSkeleton, hasRoom, lookalikes, newContent, writeName } from './rows.js'
import { names } from './tables.js'

/**
 * Reason why a label is taken, or undefined. For the label of an account, the rejection is the same as without the
 * names feature.
 */
function takenFault(ctx: ExecContext, name: NameId): Rejection | undefined {
  const standing = standingOf(ctx, name, ctx.env.timeMs)
  if (standing === undefined || standing === 'open') return undefined
  return standing === 'live' ? takenLabel(name) : reject('name_taken', `name ${nameText(name)} is taken`)
}

/** Reason why the authority may not assign names of a domain that leases them, or undefined. */
function leasedFault(ctx: ExecContext, domain: string): Rejection | undefined {
  if (ctx.env.genesis || policyOf(ctx, domain).mode !== 'leased') return undefined
  return ctx.get(domains, domain)?.owner === ctx.authority
    ? undefined
    : reject('not_permitted', `only the owner of domain ${domain} can set labels, because it leases its names`)
}

export const aliasLabels: AliasLabels = {
  accountOf: (state, timeMs, alias) => accountOfAlias(state, { kind: 'name', ...alias }, timeMs),
  claim(ctx, name, account) {
    const unfit = labelFault(name.label)
    if (unfit !== undefined) return reject('bad_name', `${nameText(name)}: ${unfit}`)
    const fault =
      takenFault(ctx, name) ?? reservedFault(ctx, name, account, ctx.env.timeMs) ?? leasedFault(ctx, name.domain)
    if (fault) return fault
    if (!hasRoom(lookalikes(ctx, name), name.label))
      return reject('name_confusable', `too many labels of the domain look like ${name.label}`)
    const old = ctx.get(names, name)
    if (old !== undefined) discount(ctx, name, old)
    writeName(ctx, name, newContent(ctx, 'assigned', account), account)
    addSkeleton(ctx, name)
    return undefined
  },
  release(ctx, name) {
    const row = ctx.get(names, name)
    // A leased name of the account of a contract is not its label.
    if (row !== undefined && row.kind !== 'assigned')
      return reject('name_taken', `name ${nameText(name)} is leased and is not a label of the account`)
    ctx.delete(names, name)
    dropSkeleton(ctx, name)
    return undefined
  },
}
