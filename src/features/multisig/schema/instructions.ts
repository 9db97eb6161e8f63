/** Owns the records of the multisig instructions (docs/design/lanes.md 3). */

import { enumOf, hash32, option, struct, varint } from '../../../codec/index.js'
import { hash } from '../../../crypto/index.js'
import {
  type AccountId,
  accountId,
  defineInstructions,
  domainId,
  type InstructionOf,
  keyBytes,
  type Metadata,
  metadata,
  multisigPolicy,
  name,
  storedInstructions,
} from '../../../model/index.js'

/** Whose policy it becomes: that of the account whose id follows from it, or of one that changes its own. */
export type MultisigTarget =
  | {
      readonly kind: 'create'
      readonly value: { readonly domain: string; readonly label: string | undefined; readonly metadata: Metadata }
    }
  | { readonly kind: 'replace'; readonly value: AccountId }
const target_ = enumOf('MultisigTarget', {
  create: [0, struct('MultisigHome', { domain: domainId, label: option(name), metadata })],
  replace: [1, accountId],
})

/** Id of a proposal: of its account, its instructions in canonical bytes, and the transaction that proposed it. */
export const proposalId = (account: AccountId, instructions: Uint8Array, transaction: Uint8Array): Buffer =>
  hash('proposal', keyBytes(account), instructions, transaction)

export const instructions = defineInstructions({
  registerMultisig: {
    id: 34,
    label: 'multisig::register',
    record: {
      policy: multisigPolicy,
      target: target_,
    },
  },
  propose: {
    id: 35,
    label: 'multisig::propose',
    record: {
      account: accountId,
      instructions: storedInstructions,
      /** Life in ms of header time; absent: the longest that the policy allows. */
      ttlMs: option(varint),
    },
  },
  approve: { id: 36, label: 'multisig::approve', record: { account: accountId, proposal: hash32 } },
  cancel: { id: 37, label: 'multisig::cancel', record: { account: accountId, proposal: hash32 } },
})

export interface Propose extends InstructionOf<typeof instructions.propose> {}
/** A proposal of an account. */
export interface ProposalRef extends InstructionOf<typeof instructions.approve> {}
