/** Owns the records of the trigger instructions (docs/design/lanes.md 1, rows 25 to 28). */

import { bool, type Infer, option, struct, u32 } from '../../../codec/index.js'
import {
  accountId,
  defineInstruction,
  metadata,
  metadataValue,
  name,
  storedInstructions,
  triggerFilter,
} from '../../../model/index.js'
import { TRIGGER_INSTRUCTIONS as ID } from './ids.js'

export interface RegisterTrigger extends Infer<typeof registerTrigger_> {}
const registerTrigger_ = struct('RegisterTrigger', {
  id: name,
  /** Account that the instructions run as. */
  authority: accountId,
  filter: triggerFilter,
  instructions: storedInstructions,
  /** Runs until it is gone; absent: no end. */
  repeats: option(u32),
  metadata,
})
export const registerTrigger = defineInstruction<RegisterTrigger>(
  ID.registerTrigger,
  'registerTrigger',
  'trigger::register',
  registerTrigger_,
)

export interface UnregisterTrigger extends Infer<typeof unregisterTrigger_> {}
const unregisterTrigger_ = struct('UnregisterTrigger', { id: name })
export const unregisterTrigger = defineInstruction<UnregisterTrigger>(
  ID.unregisterTrigger,
  'unregisterTrigger',
  'trigger::unregister',
  unregisterTrigger_,
)

export interface ChangeRepeats extends Infer<typeof changeRepeats_> {}
const changeRepeats_ = struct('ChangeRepeats', {
  id: name,
  /** Runs that are left from now on; absent: no end. */
  repeats: option(u32),
  enabled: bool,
})
export const changeRepeats = defineInstruction<ChangeRepeats>(
  ID.changeRepeats,
  'changeRepeats',
  'trigger::change_repeats',
  changeRepeats_,
)

export interface ExecuteTrigger extends Infer<typeof executeTrigger_> {}
const executeTrigger_ = struct('ExecuteTrigger', {
  id: name,
  /** For people and streams: kept in the event of the call. */
  args: metadataValue,
})
export const executeTrigger = defineInstruction<ExecuteTrigger>(
  ID.executeTrigger,
  'executeTrigger',
  'trigger::execute',
  executeTrigger_,
)
