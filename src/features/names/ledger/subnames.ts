/** Owns subnames: names that the holder of a name creates below it. */
import { type Execution, reject } from '../../../executor/contract.js'
import { type InstructionOf, labelFault, nameText, pathFault, sameIncarnation } from '../../../model/index.js'
import { events } from '../schema/events.js'
import type { CreateSubname, instructions } from '../schema/instructions.js'
import { SUBNAMES_MAX } from '../schema/records.js'
import { contentOf, domainOfText, foundName, holderFault, holderOf, kindOf, liveName } from './found.js'
import { accountsFault, establish } from './registration.js'
import { standingOf } from './resolution.js'
import { addSkeleton, dropName, newContent, writeName } from './rows.js'
import { names } from './tables.js'

export const createSubname: Execution<CreateSubname> = {
  cost: { base: 260 },
  primaryDomain: ({ parent }) => domainOfText(parent),
  execute(ctx, { parent: text, label, owner, account = owner, expiresMs }) {
    const unfit = labelFault(label)
    if (unfit !== undefined) return reject('bad_name', `${JSON.stringify(label)}: ${unfit}`)
    const parent = liveName(ctx, text)
    if ('code' in parent) return parent
    const denied = holderFault(ctx, parent, 'creating a subname')
    if (denied) return denied
    const name = { domain: parent.name.domain, label: `${label}.${parent.name.label}` }
    const tooLong = pathFault(name.label)
    if (tooLong !== undefined) return reject('bad_name', `${name.label}: ${tooLong}`)
    const { timeMs } = ctx.env
    const standing = standingOf(ctx, name, timeMs)
    const old = ctx.get(names, name)
    const isReplaced = parent.row !== undefined && sameIncarnation(parent.row.incarnation, old?.parent)
    if ((parent.row?.subnames ?? 0) >= SUBNAMES_MAX && !isReplaced)
      return reject('name_limit', `a name has at most ${SUBNAMES_MAX} subnames`)
    if (standing !== undefined && standing !== 'open') return reject('name_taken', `name ${nameText(name)} is taken`)
    const unknown = accountsFault(ctx, owner, account)
    if (unknown) return unknown
    if (expiresMs !== undefined && expiresMs <= timeMs) return reject('bad_term', 'a subname must end in the future')
    // The new row of a label of ABI 1 gives it the incarnation that the subname belongs to.
    const above = contentOf(ctx, parent)
    writeName(ctx, parent.name, above, parent.account)
    if (parent.row === undefined) addSkeleton(ctx, parent.name)
    establish(ctx, name, newContent(ctx, 'sub', owner, { parent: above.incarnation, expiresMs }), account)
    const now = ctx.get(names, parent.name) ?? above
    writeName(ctx, parent.name, { ...now, subnames: now.subnames + 1 }, parent.account)
    ctx.emit(events.subnameCreated, { name: nameText(name), owner, account, expiresMs })
    return undefined
  },
}

export const removeSubname: Execution<InstructionOf<typeof instructions.removeSubname>> = {
  cost: { base: 150 },
  primaryDomain: ({ name }) => domainOfText(name),
  execute(ctx, { name: text }) {
    const found = liveName(ctx, text)
    if ('code' in found) return found
    const { name, row } = found
    const parent = foundName(ctx, text.slice(text.indexOf('.') + 1))
    const isAbove = kindOf(found) === 'sub' && !('code' in parent) && holderOf(parent) === ctx.authority
    const denied = isAbove ? undefined : holderFault(ctx, found, 'removing the subname')
    if (denied) return denied
    if (row?.kind !== 'sub') return reject('name_not_leased', `name ${text} is not a subname`)
    if (row.subnames > 0) return reject('not_empty', `name ${text} still has ${row.subnames} subnames`)
    dropName(ctx, name, row)
    ctx.emit(events.subnameRemoved, { name: text, owner: row.owner })
    return undefined
  },
}
