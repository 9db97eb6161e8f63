/** Owns the records of the metadata instructions (docs/design/lanes.md 1, rows 19 and 20). */

import { type Infer, struct } from '../../../codec/index.js'
import { defineInstruction, metadataValue, name, target } from '../../../model/index.js'
import { METADATA_INSTRUCTIONS as ID } from './ids.js'

export interface SetKeyValue extends Infer<typeof setKeyValue_> {}
const setKeyValue_ = struct('SetKeyValue', { target, key: name, value: metadataValue })
export const setKeyValue = defineInstruction<SetKeyValue>(ID.setKeyValue, 'setKeyValue', 'metadata::set', setKeyValue_)

export interface RemoveKeyValue extends Infer<typeof removeKeyValue_> {}
const removeKeyValue_ = struct('RemoveKeyValue', { target, key: name })
export const removeKeyValue = defineInstruction<RemoveKeyValue>(
  ID.removeKeyValue,
  'removeKeyValue',
  'metadata::remove',
  removeKeyValue_,
)
