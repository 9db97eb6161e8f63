/** Owns SetParameter (design/ledger-lanes.md 1, row 29). */
import { type Json, type Schema, struct } from '../../codec/index.js'
import { type InstructionDef, type ParameterDef, reject } from '../../executor/contract.js'
import { stageParameter } from '../../executor/parameters.js'
import { metadataValue, name } from '../../model/index.js'
import { CORE_INSTRUCTIONS } from '../ids.js'
import { parameterChanged } from './events.js'
import { PERMISSIONS, requirePermission } from './permissions.js'

export interface SetParameter {
  readonly name: string
  /** JSON form of the parameter's own schema. */
  readonly value: Json
}
const setParameterSchema_ = struct('SetParameter', { name, value: metadataValue })
const setParameterSchema: Schema<SetParameter> = setParameterSchema_

export const setParameter: InstructionDef<SetParameter> = {
  id: CORE_INSTRUCTIONS.setParameter,
  kind: 'setParameter',
  label: 'parameter::set',
  schema: setParameterSchema,
  cost: () => 96,
  execute(ctx, value) {
    const denied = requirePermission(ctx, 'setting a parameter', undefined, [PERMISSIONS.CanSetParameters, undefined])
    if (denied) return denied
    const def = ctx.abi.parameters.find((one) => one.name === value.name) as ParameterDef<unknown> | undefined
    if (def === undefined) return reject('bad_parameter', `there is no parameter ${value.name}`)
    const decoded = def.schema.fromJson(value.value)
    if (!decoded.ok) return reject('bad_parameter', `${value.name}: ${decoded.fault.message}`)
    const fault = def.check?.(decoded.value)
    if (fault !== undefined) return reject('bad_parameter', fault)
    stageParameter(ctx, def, decoded.value, ctx.env.height + def.actsFrom)
    ctx.emit({ kind: parameterChanged.kind, value: { parameter: value.name, value: JSON.stringify(value.value) } })
    return undefined
  },
}
