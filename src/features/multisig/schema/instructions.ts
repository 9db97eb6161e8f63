/** Owns the records of the multisig instructions (docs/design/lanes.md 3). */

import { enumOf, hash32, type Infer, option, struct, varint } from '../../../codec/index.js'
import { hash } from '../../../crypto/index.js'
import {
  type AccountId,
  accountId,
  defineInstruction,
  domainId,
  keyBytes,
  type Metadata,
  metadata,
  multisigPolicy,
  name,
  storedInstructions,
} from '../../../model/index.js'
import { MULTISIG_INSTRUCTIONS as ID } from './ids.js'

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

export interface RegisterMultisig extends Infer<typeof registerMultisig_> {}
const registerMultisig_ = struct('RegisterMultisig', {
  policy: multisigPolicy,
  target: target_,
})
export const registerMultisig = defineInstruction<RegisterMultisig>(
  ID.registerMultisig,
  'registerMultisig',
  'multisig::register',
  registerMultisig_,
)

export interface Propose extends Infer<typeof propose_> {}
const propose_ = struct('Propose', {
  account: accountId,
  instructions: storedInstructions,
  /** Life in ms of header time; absent: the longest that the policy allows. */
  ttlMs: option(varint),
})
export const propose = defineInstruction<Propose>(ID.propose, 'propose', 'multisig::propose', propose_)

/** Id of a proposal: of its account, its instructions in canonical bytes, and the transaction that proposed it. */
export const proposalId = (account: AccountId, instructions: Uint8Array, transaction: Uint8Array): Buffer =>
  hash('proposal', keyBytes(account), instructions, transaction)

/** A proposal of an account. */
export interface ProposalRef extends Infer<typeof approve_> {}
const approve_ = struct('Approve', { account: accountId, proposal: hash32 })
export const approve = defineInstruction<ProposalRef>(ID.approve, 'approve', 'multisig::approve', approve_)
const cancel_ = struct('Cancel', { account: accountId, proposal: hash32 })
export const cancel = defineInstruction<ProposalRef>(ID.cancel, 'cancel', 'multisig::cancel', cancel_)
