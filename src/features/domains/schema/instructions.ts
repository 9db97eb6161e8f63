/** Owns the records of the instructions about domains (docs/design/lanes.md 1). */

import { option, varintBig } from '../../../codec/index.js'
import { defineInstructions, domainId, type InstructionOf, metadata } from '../../../model/index.js'

export const instructions = defineInstructions({
  registerDomain: {
    id: 5,
    label: 'domain::register',
    record: {
      id: domainId,
      /** Dataspace that it lies in for good; absent: the universal one. */
      dataspace: option(varintBig),
      metadata,
    },
  },
  unregisterDomain: { id: 6, label: 'domain::unregister', record: { id: domainId } },
})

export interface RegisterDomain extends InstructionOf<typeof instructions.registerDomain> {}
export interface UnregisterDomain extends InstructionOf<typeof instructions.unregisterDomain> {}
