/** Owns the record of SetParameter (docs/design/lanes.md 1, row 29). */
import { defineInstructions, type InstructionOf, metadataValue, name } from '../../../model/index.js'

export const instructions = defineInstructions({
  setParameter: {
    id: 29,
    label: 'parameter::set',
    record: {
      name,
      /** JSON form of the parameter's own schema. */
      value: metadataValue,
    },
  },
})

export interface SetParameter extends InstructionOf<typeof instructions.setParameter> {}
