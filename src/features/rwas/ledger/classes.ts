/** Owns the instructions on classes and their holders: register a class, change it, admit an account. */
import { accounts } from '../../../executor/accounts.js'
import { unknownAccount } from '../../../executor/addresses.js'
import { type ExecContext, type Rejection, reject } from '../../../executor/contract.js'
import type { Executions } from '../../../executor/feature.js'
import { valuesToCome } from '../../../executor/parameters.js'
import { ASSET_PERMISSIONS } from '../../../ledger/asset-permissions.js'
import { registerDefinition } from '../../../ledger/definitions.js'
import { holderOf, writeHolder } from '../../../ledger/lot-income.js'
import { rwaClasses } from '../../../ledger/lot-tables.js'
import { FIRST_LOT, findClass } from '../../../ledger/lots.js'
import { requirePermission } from '../../../ledger/permissions.js'
import { definitions } from '../../../ledger/tables.js'
import { domainOfDefinition, NO_METADATA, type RwaFlags } from '../../../model/index.js'
import { FEE_ASSET } from '../../fees/schema.js'
import { STAKE_ASSET } from '../../staking/schema/parameters.js'
import { events } from '../schema/events.js'
import type { instructions } from '../schema/instructions.js'

/** Domain of a class. */
export const domainOfClass = ({ class: id }: { readonly class: string }): string => domainOfDefinition(id)

/**
 * Reason why an id cannot be a class, because it is the asset of fees or stakes, currently or by a staged change;
 * otherwise undefined.
 */
function currencyFault(ctx: ExecContext, id: string): Rejection | undefined {
  const isCurrency = [FEE_ASSET, STAKE_ASSET].some((parameter) => valuesToCome(ctx, parameter).includes(id))
  return isCurrency ? reject('lots_only', `${id} is the asset of fees or stakes and cannot be a class`) : undefined
}

export const execute = {
  registerRwaClass: {
    cost: { base: 400 },
    primaryDomain: ({ id }) => domainOfDefinition(id),
    execute(ctx, { id, scale, flags, ...terms }) {
      const mintable = { kind: 'lots', value: undefined } as const
      const failed =
        registerDefinition(ctx, { id, scale, mintable, metadata: NO_METADATA }) ??
        (terms.holdersMax === 0 ? reject('bad_amount', 'a class must allow at least one holder') : undefined) ??
        currencyFault(ctx, id)
      if (failed) return failed
      const state = { flags, paused: false, holders: 0, nextLot: FIRST_LOT, income: undefined }
      ctx.set(rwaClasses, id, { ...terms, ...state })
      const account = ctx.get(definitions, id)?.owner
      if (account === undefined) throw new Error(`class ${id} has no definition`)
      ctx.emit(events.rwaClassRegistered, { class: id, account })
      return undefined
    },
  },

  setRwaClass: {
    cost: { base: 128 },
    primaryDomain: domainOfClass,
    execute(ctx, { class: id, paused, clear }) {
      const found = findClass(ctx, id)
      if ('code' in found) return found
      const { rwaClass, definition } = found
      const denied = requirePermission(ctx, 'changing a class', definition.owner)
      if (denied) return denied
      const cleared: Partial<RwaFlags> = Object.fromEntries(clear.map((flag) => [flag, false]))
      const next = { ...rwaClass, paused: paused ?? rwaClass.paused, flags: { ...rwaClass.flags, ...cleared } }
      ctx.set(rwaClasses, id, next)
      ctx.emit(events.rwaClassChanged, { class: id, paused: next.paused, flags: next.flags })
      return undefined
    },
  },

  setRwaHolder: {
    cost: { base: 160 },
    primaryDomain: domainOfClass,
    execute(ctx, { class: id, account, eligibleUntilMs }) {
      const found = findClass(ctx, id)
      if ('code' in found) return found
      const { definition } = found
      const row = ctx.get(accounts, account)
      if (row === undefined) return unknownAccount(ctx, account)
      const denied = requirePermission(ctx, 'admitting an account', definition.owner, [
        ASSET_PERMISSIONS.CanControl,
        id,
      ])
      if (denied) return denied
      const registered = { class: definition.incarnation, account: row.incarnation }
      const eligible = eligibleUntilMs === undefined ? undefined : { untilMs: eligibleUntilMs, ...registered }
      writeHolder(ctx, id, account, { ...holderOf(ctx, id, account), eligible })
      ctx.emit(events.rwaHolderSet, { class: id, account, eligibleUntilMs })
      return undefined
    },
  },
} satisfies Partial<Executions<typeof instructions>>
