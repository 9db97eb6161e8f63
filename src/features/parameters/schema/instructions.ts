/** Owns the record of SetParameter (docs/design/lanes.md 1, row 29). */
import { type Infer, struct } from '../../../codec/index.js'
import { defineInstruction, metadataValue, name } from '../../../model/index.js'
import { PARAMETER_INSTRUCTIONS as ID } from './ids.js'

export interface SetParameter extends Infer<typeof setParameter_> {}
const setParameter_ = struct('SetParameter', {
  name,
  /** JSON form of the parameter's own schema. */
  value: metadataValue,
})
export const setParameter = defineInstruction<SetParameter>(
  ID.setParameter,
  'setParameter',
  'parameter::set',
  setParameter_,
)
