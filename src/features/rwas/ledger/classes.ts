/** Owns the instructions on classes: register, change. */
import { type ExecContext, type Rejection, reject } from '../../../executor/contract.js'
import type { Executions } from '../../../executor/feature.js'
import { valuesToCome } from '../../../executor/parameters.js'
import { registerDefinition } from '../../../ledger/definitions.js'
import { rwaClasses } from '../../../ledger/lot-tables.js'
import { FIRST_LOT } from '../../../ledger/lots.js'
import { definitions } from '../../../ledger/tables.js'
import { domainOfDefinition, NO_METADATA } from '../../../model/index.js'
import { FEE_ASSET } from '../../fees/schema.js'
import { STAKE_ASSET } from '../../staking/schema/parameters.js'
import { events } from '../schema/events.js'
import type { instructions } from '../schema/instructions.js'

/** Fault of an id that fees or stakes are paid in, now or by a staged change, or undefined. */
function currencyFault(ctx: ExecContext, id: string): Rejection | undefined {
  const isCurrency = [FEE_ASSET, STAKE_ASSET].some((parameter) => valuesToCome(ctx, parameter).includes(id))
  return isCurrency ? reject('lots_only', `${id} is the asset of fees or stakes, which a class cannot be`) : undefined
}

export const execute = {
  registerRwaClass: {
    cost: { base: 400 },
    primaryDomain: ({ id }) => domainOfDefinition(id),
    execute(ctx, { id, scale, flags, ...terms }) {
      const failed =
        registerDefinition(ctx, {
          ...{ id, scale, metadata: NO_METADATA },
          mintable: { kind: 'lots', value: undefined },
        }) ?? currencyFault(ctx, id)
      if (failed) return failed
      ctx.set(rwaClasses, id, {
        ...terms,
        ...{ flags, paused: false, holders: 0, nextLot: FIRST_LOT, income: undefined },
      })
      const owner = ctx.get(definitions, id)?.owner
      if (owner === undefined) throw new Error(`class ${id} has no definition`)
      ctx.emit(events.rwaClassRegistered, { class: id, owner })
      return undefined
    },
  },
} satisfies Partial<Executions<typeof instructions>>
