/** Owns sealed roles: only the governance account changes them, and their members are enumerated. */
import {
  type ExecContext,
  type Execution,
  type Rejection,
  type RoleChange,
  reject,
} from '../../../executor/contract.js'
import { accountRoles, roles } from '../../../ledger/tables.js'
import type { InstructionOf } from '../../../model/index.js'
import { events } from '../schema/events.js'
import type { instructions } from '../schema/instructions.js'
import { ELECTORS_MAX } from '../schema/records.js'
import { GOV_ACCOUNT, requireGovernance } from './account.js'
import { seals } from './tables.js'

/** Rejection of a list that does not contain exactly the members of the role. */
function membersFault(ctx: ExecContext, role: string, members: readonly string[]): Rejection | undefined {
  const isListed =
    new Set(members).size === members.length &&
    members.length === ctx.get(roles, role)?.members &&
    members.every((account) => ctx.get(accountRoles, account)?.includes(role) === true)
  if (!isListed) return reject('bad_electorate', `the list differs from the members of the role ${role}`)
  return members.length > 0 ? undefined : reject('bad_electorate', 'a sealed role must have a member')
}

export const sealRole: Execution<InstructionOf<typeof instructions.sealRole>> = {
  cost: { base: 96, per: [{ teu: 16, item: 'member', count: ({ members }) => members.length }] },
  execute(ctx, { role, members }) {
    if (!ctx.has(roles, role)) return reject('absent', `role ${role} does not exist`)
    const denied = requireGovernance(ctx, 'sealing a role')
    if (denied) return denied
    const fault = membersFault(ctx, role, members)
    if (fault) return fault
    ctx.set(seals, role, members)
    ctx.emit(events.govRoleSealed, { role, members })
    return undefined
  },
}

/** Policy of sealed roles: only governance changes them; a member may resign while others have the role. */
export function roleSeal(ctx: ExecContext, role: string, change: RoleChange): Rejection | undefined {
  const members = ctx.get(seals, role)
  if (members === undefined) return undefined
  const isOwn = change.kind === 'member' && change.by === -1 && change.account === ctx.authority
  if (ctx.authority !== GOV_ACCOUNT && !ctx.env.genesis && !isOwn)
    return reject('sealed_role', `role ${role} is sealed: only the governance account changes it`)
  if (change.kind === 'removal') ctx.delete(seals, role)
  return change.kind === 'member' ? changeMembers(ctx, role, members, change) : undefined
}

function changeMembers(
  ctx: ExecContext,
  role: string,
  members: readonly string[],
  { account, by }: Extract<RoleChange, { readonly kind: 'member' }>,
): Rejection | undefined {
  const next = by === 1 ? [...members, account] : members.filter((one) => one !== account)
  if (next.length > ELECTORS_MAX) return reject('bad_electorate', `a sealed role has at most ${ELECTORS_MAX} members`)
  // A decision that empties the role of a track is below the floor.
  if (next.length === 0 && ctx.authority !== GOV_ACCOUNT)
    return reject('sealed_role', `the account is the last member of the sealed role ${role}`)
  ctx.set(seals, role, next)
  ctx.emit(events.govSealChanged, { role, account, isMember: by === 1, members: next.length })
  return undefined
}
