/** Owns the records of the instructions about accounts (docs/design/lanes.md 1). */

import { option, struct } from '../../../codec/index.js'
import {
  type AccountId,
  type AdmissionPolicy,
  accountId,
  admissionPolicy,
  defineInstruction,
  domainId,
  type Metadata,
  metadata,
  name,
} from '../../../model/index.js'
import { ACCOUNT_INSTRUCTIONS as ID } from './ids.js'

export interface RegisterAccount {
  readonly id: AccountId
  readonly domain: string
  readonly label: string | undefined
  readonly metadata: Metadata
}
const registerAccount_ = struct('RegisterAccount', { id: accountId, domain: domainId, label: option(name), metadata })
export const registerAccount = defineInstruction<RegisterAccount>(
  ID.registerAccount,
  'registerAccount',
  'account::register',
  registerAccount_,
)

export interface UnregisterAccount {
  readonly id: AccountId
}
const unregisterAccount_ = struct('UnregisterAccount', { id: accountId })
export const unregisterAccount = defineInstruction<UnregisterAccount>(
  ID.unregisterAccount,
  'unregisterAccount',
  'account::unregister',
  unregisterAccount_,
)

export interface SetLabel {
  readonly account: AccountId
  /** Absent: the account has no alias any more. */
  readonly label: string | undefined
}
const setLabel_ = struct('SetLabel', { account: accountId, label: option(name) })
export const setLabel = defineInstruction<SetLabel>(ID.setLabel, 'setLabel', 'account::set_label', setLabel_)

export interface SetAdmission {
  readonly domain: string
  readonly policy: AdmissionPolicy
}
const setAdmission_ = struct('SetAdmission', { domain: domainId, policy: admissionPolicy })
export const setAdmission = defineInstruction<SetAdmission>(
  ID.setAdmission,
  'setAdmission',
  'account::set_admission',
  setAdmission_,
)
