/** Owns SetParameter (docs/design/lanes.md 1, row 29). */

import { reject } from '../../../executor/contract.js'
import type { Executions } from '../../../executor/feature.js'
import { stageParameter } from '../../../executor/parameters.js'
import { chainInfo, SINGLETON_KEY } from '../../../executor/tables.js'
import { requirePermission } from '../../../ledger/permissions.js'
import { DEFAULT_ADDRESS_PREFIX, type ParameterDef } from '../../../model/index.js'
import { events } from '../schema/events.js'
import type { instructions } from '../schema/instructions.js'
import { PARAMETER_PERMISSIONS } from './permissions.js'

export const execute = {
  setParameter: {
    cost: { base: 96 },
    execute(ctx, value) {
      const denied = requirePermission(ctx, 'setting a parameter', undefined, [
        PARAMETER_PERMISSIONS.CanSetParameters,
        undefined,
      ])
      if (denied) return denied
      const def = ctx.abi.parameters.find((one) => one.name === value.name) as ParameterDef<unknown> | undefined
      if (def === undefined) return reject('bad_parameter', `there is no parameter ${value.name}`)
      const decoded = def.schema.fromJson(
        value.value,
        ctx.abi.codec(ctx.get(chainInfo, SINGLETON_KEY)?.addressPrefix ?? DEFAULT_ADDRESS_PREFIX),
      )
      if (!decoded.ok) return reject('bad_parameter', `${value.name}: ${decoded.fault.message}`)
      const fault = def.check?.(decoded.value)
      if (fault !== undefined) return reject('bad_parameter', fault)
      stageParameter(ctx, def, decoded.value, ctx.env.height + def.activationDelay)
      ctx.emit(events.parameterChanged, { parameter: value.name, value: JSON.stringify(value.value) })
      return undefined
    },
  },
} satisfies Partial<Executions<typeof instructions>>
