/** Owns the events of multisig accounts. */

import { hash32, string, struct, varint } from '../../../codec/index.js'
import {
  type AccountId,
  aboutParties,
  accountId,
  accountParty,
  defineEvent,
  type EventSubject,
} from '../../../model/index.js'
import { CODE_MAX_BYTES } from '../../triggers/schema/events.js'
import { MULTISIG_EVENTS as ID } from './ids.js'

const multisig: EventSubject<{ readonly account: AccountId }> = {
  subject: 'multisig',
  about: (value) => aboutParties(accountParty(value.account)),
}
const proposalFields = { account: accountId, proposal: hash32 }
export const multisigChanged = defineEvent(
  ID.multisigChanged,
  'multisigChanged',
  struct('MultisigChanged', { account: accountId, quorum: varint, members: varint }),
  multisig,
)
export const proposalCreated = defineEvent(
  ID.proposalCreated,
  'proposalCreated',
  struct('ProposalCreated', { ...proposalFields, proposer: accountId, expiresMs: varint }),
  multisig,
)
export const proposalApproved = defineEvent(
  ID.proposalApproved,
  'proposalApproved',
  struct('ProposalApproved', { ...proposalFields, by: accountId }),
  multisig,
)
export const proposalExecuted = defineEvent(
  ID.proposalExecuted,
  'proposalExecuted',
  struct('ProposalExecuted', proposalFields),
  multisig,
)
export const proposalFailed = defineEvent(
  ID.proposalFailed,
  'proposalFailed',
  struct('ProposalFailed', { ...proposalFields, error: string(CODE_MAX_BYTES) }),
  multisig,
)
export const proposalCancelled = defineEvent(
  ID.proposalCancelled,
  'proposalCancelled',
  struct('ProposalCancelled', proposalFields),
  multisig,
)
export const proposalExpired = defineEvent(
  ID.proposalExpired,
  'proposalExpired',
  struct('ProposalExpired', proposalFields),
  multisig,
)
