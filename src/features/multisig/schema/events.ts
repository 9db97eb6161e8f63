/** Owns the events of multisig accounts. */

import { hash32, string, varint } from '../../../codec/index.js'
import { aboutMultisig, accountId, CODE_MAX_BYTES, defineEvents, proposalEvents } from '../../../model/index.js'

const proposalFields = { account: accountId, proposal: hash32 }

export const events = {
  ...proposalEvents,
  ...defineEvents({
    multisigChanged: { id: 37, record: { account: accountId, quorum: varint, members: varint }, ...aboutMultisig },
    proposalCreated: {
      id: 38,
      record: { ...proposalFields, proposer: accountId, expiresMs: varint },
      ...aboutMultisig,
    },
    proposalApproved: { id: 39, record: { ...proposalFields, by: accountId }, ...aboutMultisig },
    proposalExecuted: { id: 40, record: proposalFields, ...aboutMultisig },
    proposalFailed: { id: 41, record: { ...proposalFields, error: string(CODE_MAX_BYTES) }, ...aboutMultisig },
    proposalCancelled: { id: 42, record: proposalFields, ...aboutMultisig },
  }),
}
