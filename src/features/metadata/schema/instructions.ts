/** Owns the records of the metadata instructions (docs/design/lanes.md 1, rows 19 and 20). */

import { defineInstructions, type InstructionOf, metadataValue, name, target } from '../../../model/index.js'

export const instructions = defineInstructions({
  setKeyValue: { id: 19, label: 'metadata::set', record: { target, key: name, value: metadataValue } },
  removeKeyValue: { id: 20, label: 'metadata::remove', record: { target, key: name } },
})

export interface SetKeyValue extends InstructionOf<typeof instructions.setKeyValue> {}
export interface RemoveKeyValue extends InstructionOf<typeof instructions.removeKeyValue> {}
