/** Owns view records of triggers. */

import { pageOf } from '../../../api/paging.js'
import { pageQueryOf } from '../../../api/query-inputs.js'
import { bool, type Infer, option, struct, u8, u32, varint } from '../../../codec/index.js'
import { accountId, metadata, name, storedInstructions, triggerFilter } from '../../../model/index.js'

export interface TriggerView extends Infer<typeof triggerView> {}
export const triggerView = struct('TriggerView', {
  id: name,
  authority: accountId,
  filter: triggerFilter,
  instructions: storedInstructions,
  repeats: option(u32),
  enabled: bool,
  failures: u8,
  /** Next due time of a time trigger, in ms since the Unix epoch. */
  dueMs: option(varint),
  metadata,
})

export const triggerPage = pageOf('TriggerPage', triggerView)
export const triggersInput = pageQueryOf('TriggersQuery', name)
