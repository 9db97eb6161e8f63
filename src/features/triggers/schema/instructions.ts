/** Owns the records of the trigger instructions (docs/design/lanes.md 1, rows 25 to 28). */

import { bool, type Json, option, struct, u32 } from '../../../codec/index.js'
import {
  type AccountId,
  accountId,
  defineInstruction,
  type Instruction,
  type Metadata,
  metadata,
  metadataValue,
  name,
  storedInstructions,
  type TriggerFilter,
  triggerFilter,
} from '../../../model/index.js'
import { TRIGGER_INSTRUCTIONS as ID } from './ids.js'

export interface RegisterTrigger {
  readonly id: string
  /** Account that the instructions run as. */
  readonly authority: AccountId
  readonly filter: TriggerFilter
  readonly instructions: readonly Instruction[]
  /** Runs until it is gone; absent: no end. */
  readonly repeats: number | undefined
  readonly metadata: Metadata
}
const registerTrigger_ = struct('RegisterTrigger', {
  id: name,
  authority: accountId,
  filter: triggerFilter,
  instructions: storedInstructions,
  repeats: option(u32),
  metadata,
})
export const registerTrigger = defineInstruction<RegisterTrigger>(
  ID.registerTrigger,
  'registerTrigger',
  'trigger::register',
  registerTrigger_,
)

export interface UnregisterTrigger {
  readonly id: string
}
const unregisterTrigger_ = struct('UnregisterTrigger', { id: name })
export const unregisterTrigger = defineInstruction<UnregisterTrigger>(
  ID.unregisterTrigger,
  'unregisterTrigger',
  'trigger::unregister',
  unregisterTrigger_,
)

export interface ChangeRepeats {
  readonly id: string
  /** Runs that are left from now on; absent: no end. */
  readonly repeats: number | undefined
  readonly enabled: boolean
}
const changeRepeats_ = struct('ChangeRepeats', { id: name, repeats: option(u32), enabled: bool })
export const changeRepeats = defineInstruction<ChangeRepeats>(
  ID.changeRepeats,
  'changeRepeats',
  'trigger::change_repeats',
  changeRepeats_,
)

export interface ExecuteTrigger {
  readonly id: string
  /** For people and streams: kept in the event of the call. */
  readonly args: Json
}
const executeTrigger_ = struct('ExecuteTrigger', { id: name, args: metadataValue })
export const executeTrigger = defineInstruction<ExecuteTrigger>(
  ID.executeTrigger,
  'executeTrigger',
  'trigger::execute',
  executeTrigger_,
)
