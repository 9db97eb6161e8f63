/** Owns the record of SetParameter (docs/design/lanes.md 1, row 29). */
import { type Json, struct } from '../../../codec/index.js'
import { defineInstruction, metadataValue, name } from '../../../model/index.js'
import { PARAMETER_INSTRUCTIONS as ID } from './ids.js'

export interface SetParameter {
  readonly name: string
  /** JSON form of the parameter's own schema. */
  readonly value: Json
}
const setParameter_ = struct('SetParameter', { name, value: metadataValue })
export const setParameter = defineInstruction<SetParameter>(
  ID.setParameter,
  'setParameter',
  'parameter::set',
  setParameter_,
)
