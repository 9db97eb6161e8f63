/** Owns the events of accounts. */

import { bool, option, struct } from '../../../codec/index.js'
import {
  type AccountId,
  accountId,
  accountParty,
  defineEvent,
  domainId,
  type EventSubject,
  name,
} from '../../../model/index.js'
import { domain } from '../../domains/schema/events.js'
import { ACCOUNT_EVENTS as ID } from './ids.js'

const ofAccount: EventSubject<{ readonly account: AccountId; readonly domain: string }> = {
  subject: 'account',
  about: (value) => ({ objects: [value.domain], parties: [accountParty(value.account)] }),
}
export const accountCreated = defineEvent(
  ID.accountCreated,
  'accountCreated',
  struct('AccountCreated', { account: accountId, domain: domainId }),
  ofAccount,
)
export const accountDeleted = defineEvent(
  ID.accountDeleted,
  'accountDeleted',
  struct('AccountDeleted', { account: accountId, domain: domainId }),
  ofAccount,
)
export const labelChanged = defineEvent(
  ID.labelChanged,
  'labelChanged',
  struct('LabelChanged', { account: accountId, domain: domainId, label: option(name) }),
  ofAccount,
)

export const admissionChanged = defineEvent(
  ID.admissionChanged,
  'admissionChanged',
  struct('AdmissionChanged', { domain: domainId, implicit: bool }),
  domain,
)
