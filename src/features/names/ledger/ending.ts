/** Owns the end of names: release by the owner, and removal of names that are open. */
import { type Execution, reject } from '../../../executor/contract.js'
import type { InstructionOf } from '../../../model/index.js'
import { events } from '../schema/events.js'
import type { instructions } from '../schema/instructions.js'
import { domainOfText, foundName, holderFault, liveName } from './found.js'
import { policyOf } from './policies.js'
import { dropName, writeName } from './rows.js'

export const releaseName: Execution<InstructionOf<typeof instructions.releaseName>> = {
  cost: { base: 150 },
  primaryDomain: ({ name }) => domainOfText(name),
  execute(ctx, { name: text }) {
    const found = liveName(ctx, text)
    if ('code' in found) return found
    const { name, row, account } = found
    const denied = holderFault(ctx, found, 'releasing the name')
    if (denied) return denied
    if (row?.kind !== 'leased') return reject('name_not_leased', `name ${text} is not leased`)
    if (row.subnames > 0) return reject('not_empty', `name ${text} still has ${row.subnames} subnames`)
    const now = ctx.env.timeMs
    const quarantineUntilMs = now + policyOf(ctx, name.domain).quarantineMs
    writeName(ctx, name, { ...row, expiresMs: now, graceUntilMs: now, quarantineUntilMs }, account)
    ctx.emit(events.nameReleased, { name: text, owner: row.owner, quarantineUntilMs })
    return undefined
  },
}

export const pruneName: Execution<InstructionOf<typeof instructions.pruneName>> = {
  cost: { base: 128 },
  primaryDomain: ({ name }) => domainOfText(name),
  execute(ctx, { name: text }) {
    const found = foundName(ctx, text)
    if ('code' in found) return found
    const { name, row, standing } = found
    if (standing !== 'open' || row === undefined) return reject('name_taken', `name ${text} is not open`)
    dropName(ctx, name, row)
    ctx.emit(events.namePruned, { name: text, owner: row.owner })
    return undefined
  },
}
