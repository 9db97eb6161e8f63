/** Owns the execution of parameters: the permission, the instruction, the query. */

import type { ParameterSnapshot } from '../../api/index.js'
import { compareText, type Json } from '../../codec/index.js'
import { type ExecContext, type Rejection, reject } from '../../executor/contract.js'
import { defineLedger, type Executions } from '../../executor/feature.js'
import { parameterOf, stagedOf, stageParameter } from '../../executor/parameters.js'
import type { Permission } from '../../executor/permission.js'
import type { QueryRun } from '../../executor/reads.js'
import { hasRule, type Rule } from '../../executor/rules.js'
import { chainInfo, SINGLETON_KEY } from '../../executor/tables.js'
import { global } from '../../ledger/permission-kinds.js'
import { requirePermission } from '../../ledger/permissions.js'
import { definitions } from '../../ledger/tables.js'
import { DEFAULT_ADDRESS_PREFIX, type ParameterDef } from '../../model/index.js'
import { FEE_ASSET } from '../fees/schema.js'
import { STAKE_ASSET } from '../staking/schema/parameters.js'
import { events, type instructions, parameterSchema } from './schema.js'

const PARAMETER_PERMISSIONS = {
  CanSetParameters: global('CanSetParameters'),
} as const satisfies Record<string, Permission>

/** Rejection of classes as currencies: amounts of fees and stakes move without lots. */
const CLASSES_ARE_NO_CURRENCIES: Rule = {
  since: 2,
  text: 'fees and stakes are not paid in a class of real-world assets',
}
const CURRENCIES: readonly string[] = [FEE_ASSET.name, STAKE_ASSET.name]

/** Reason why a class cannot be the asset of fees or stakes, or undefined. */
function currencyFault(ctx: ExecContext, name: string, value: unknown): Rejection | undefined {
  if (!hasRule(ctx, CLASSES_ARE_NO_CURRENCIES) || !CURRENCIES.includes(name) || typeof value !== 'string')
    return undefined
  return ctx.get(definitions, value)?.mintable.kind === 'lots'
    ? reject('lots_only', `${value} is a class of real-world assets, which fees and stakes cannot be paid in`)
    : undefined
}

const parametersQuery: QueryRun<Record<string, never>, ParameterSnapshot> = async ({
  reader,
  height,
  parameters: defs,
  codec,
}) => {
  const toJson = (def: ParameterDef<unknown>, value: unknown): Json => def.schema.toJson(value as never, codec)
  const items = defs.map((def) => {
    const staged = stagedOf(reader, def).filter((change) => change.fromHeight > height)
    return {
      name: def.name,
      value: toJson(def, parameterOf(reader, def)),
      actsAfterBlocks: def.activationDelay,
      staged: staged.map(({ fromHeight, value }) => ({ fromHeight, value: toJson(def, value) })),
    }
  })
  items.sort((a, b) => compareText(a.name, b.name))
  return { items, total: items.length, height }
}

const execute: Executions<typeof instructions> = {
  setParameter: {
    cost: { base: 96 },
    execute(ctx, value) {
      const denied = requirePermission(ctx, 'setting a parameter', undefined, [
        PARAMETER_PERMISSIONS.CanSetParameters,
        undefined,
      ])
      if (denied) return denied
      const def = ctx.abi.parameters.find((one) => one.name === value.name) as ParameterDef<unknown> | undefined
      if (def === undefined) return reject('bad_parameter', `unknown parameter ${value.name}`)
      const decoded = def.schema.fromJson(
        value.value,
        ctx.abi.codec(ctx.get(chainInfo, SINGLETON_KEY)?.addressPrefix ?? DEFAULT_ADDRESS_PREFIX),
      )
      if (!decoded.ok) return reject('bad_parameter', `${value.name}: ${decoded.fault.message}`)
      const fault = def.check?.(decoded.value)
      if (fault !== undefined) return reject('bad_parameter', fault)
      const refused = currencyFault(ctx, value.name, decoded.value)
      if (refused) return refused
      const check = ctx.abi.policies.parameterFloor?.(ctx)
      stageParameter(ctx, def, decoded.value, ctx.env.height + def.activationDelay)
      const below = check?.()
      if (below) return below
      ctx.emit(events.parameterChanged, { parameter: value.name, value: JSON.stringify(value.value) })
      return undefined
    },
  },
}

export const parameterLedger = defineLedger(parameterSchema, {
  tables: [],
  execute,
  queries: { parameters: parametersQuery },
  permissions: Object.values(PARAMETER_PERMISSIONS),
  rules: [CLASSES_ARE_NO_CURRENCIES],
})
