/** Owns the records of the trigger instructions (docs/design/lanes.md 1, rows 25 to 28). */

import { bool, option, u32 } from '../../../codec/index.js'
import {
  accountId,
  defineInstructions,
  metadata,
  metadataValue,
  name,
  storedInstructions,
  triggerFilter,
} from '../../../model/index.js'

export const instructions = defineInstructions({
  registerTrigger: {
    id: 25,
    label: 'trigger::register',
    record: {
      id: name,
      /** Account that the instructions run as. */
      authority: accountId,
      filter: triggerFilter,
      instructions: storedInstructions,
      /** Runs until it is gone; absent: no end. */
      repeats: option(u32),
      metadata,
    },
  },
  unregisterTrigger: { id: 26, label: 'trigger::unregister', record: { id: name } },
  changeRepeats: {
    id: 27,
    label: 'trigger::change_repeats',
    record: {
      id: name,
      /** Runs that are left from now on; absent: no end. */
      repeats: option(u32),
      enabled: bool,
    },
  },
  executeTrigger: {
    id: 28,
    label: 'trigger::execute',
    record: {
      id: name,
      /** For people and streams: kept in the event of the call. */
      args: metadataValue,
    },
  },
})
