/** Owns the records of the instructions about accounts (docs/design/lanes.md 1). */

import { option } from '../../../codec/index.js'
import {
  accountId,
  admissionPolicy,
  defineInstructions,
  domainId,
  type InstructionOf,
  metadata,
  name,
} from '../../../model/index.js'

export const instructions = defineInstructions({
  registerAccount: {
    id: 7,
    label: 'account::register',
    record: { id: accountId, domain: domainId, label: option(name), metadata },
  },
  unregisterAccount: { id: 8, label: 'account::unregister', record: { id: accountId } },
  setLabel: {
    id: 9,
    label: 'account::set_label',
    record: {
      account: accountId,
      /** Absent: the account has no alias any more. */
      label: option(name),
    },
  },
  setAdmission: { id: 47, label: 'account::set_admission', record: { domain: domainId, policy: admissionPolicy } },
})

export interface RegisterAccount extends InstructionOf<typeof instructions.registerAccount> {}
