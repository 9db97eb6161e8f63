/** Owns the records of the instructions about accounts (docs/design/lanes.md 1). */

import { type Infer, option, struct } from '../../../codec/index.js'
import { accountId, admissionPolicy, defineInstruction, domainId, metadata, name } from '../../../model/index.js'
import { ACCOUNT_INSTRUCTIONS as ID } from './ids.js'

export interface RegisterAccount extends Infer<typeof registerAccount_> {}
const registerAccount_ = struct('RegisterAccount', { id: accountId, domain: domainId, label: option(name), metadata })
export const registerAccount = defineInstruction<RegisterAccount>(
  ID.registerAccount,
  'registerAccount',
  'account::register',
  registerAccount_,
)

export interface UnregisterAccount extends Infer<typeof unregisterAccount_> {}
const unregisterAccount_ = struct('UnregisterAccount', { id: accountId })
export const unregisterAccount = defineInstruction<UnregisterAccount>(
  ID.unregisterAccount,
  'unregisterAccount',
  'account::unregister',
  unregisterAccount_,
)

export interface SetLabel extends Infer<typeof setLabel_> {}
const setLabel_ = struct('SetLabel', {
  account: accountId,
  /** Absent: the account has no alias any more. */
  label: option(name),
})
export const setLabel = defineInstruction<SetLabel>(ID.setLabel, 'setLabel', 'account::set_label', setLabel_)

export interface SetAdmission extends Infer<typeof setAdmission_> {}
const setAdmission_ = struct('SetAdmission', { domain: domainId, policy: admissionPolicy })
export const setAdmission = defineInstruction<SetAdmission>(
  ID.setAdmission,
  'setAdmission',
  'account::set_admission',
  setAdmission_,
)
