/** Owns the policy of a multisig account, and the account id derived from the first policy (docs/design/lanes.md 3). */
import { type Infer, list, struct, u8, u16, varint } from '../codec/index.js'
import { hash } from '../crypto/index.js'
import { type AccountId, accountId, accountOfPolicyHash, keylessKind } from './address.js'
import { MULTISIG_MEMBERS_MAX } from './limits.js'

/** Member and its weight. */
const member_ = struct('MultisigMember', { account: accountId, weight: u8 })
/** Members and quorum of a multisig account. */
export interface MultisigPolicy extends Infer<typeof multisigPolicy> {}
export const multisigPolicy = struct('MultisigPolicy', {
  /** Ascending by the bytes of their ids, without duplicates. */
  members: list(member_, MULTISIG_MEMBERS_MAX),
  quorum: u16,
  /** Maximum lifetime of a proposal, in ms of header time. */
  ttlMs: varint,
})

/** Maximum lifetime of a proposal in any policy: a year, in ms. */
export const PROPOSAL_TTL_MAX_MS = 366 * 86_400_000

/**
 * Fault of a policy without regard to the ledger, or undefined; the ledger validates its references to other accounts.
 */
export function policyFault(policy: MultisigPolicy): string | undefined {
  const { members, quorum, ttlMs } = policy
  if (members.length === 0) return 'a policy must have at least one member'
  for (const [index, { account, weight }] of members.entries()) {
    if (weight < 1) return 'a weight must be at least 1'
    if (keylessKind(account) !== undefined) return 'a member must have either a key or its own members'
    const before = members[index - 1]
    if (before !== undefined && before.account >= account) return 'members must be unique and in the order of their ids'
  }
  const sum = weightOf(policy, new Set(members.map((member) => member.account)))
  if (quorum < 1 || quorum > sum) return `the quorum must be between 1 and ${sum}, the sum of the weights`
  if (ttlMs < 1 || ttlMs > PROPOSAL_TTL_MAX_MS) return `ttl_ms must be between 1 and ${PROPOSAL_TTL_MAX_MS}`
  return undefined
}

/** Total weight of the given accounts that are members. */
export const weightOf = (policy: MultisigPolicy, accounts: ReadonlySet<AccountId>): number =>
  policy.members.reduce((sum, { account, weight }) => (accounts.has(account) ? sum + weight : sum), 0)

/** Id of the account that starts with this policy; it does not change with the policy. */
export const multisigAccount = (policy: MultisigPolicy): AccountId =>
  accountOfPolicyHash(hash('multisig', multisigPolicy.encode(policy)))

/** The policy with its members in canonical order. */
export const sortedPolicy = (policy: MultisigPolicy): MultisigPolicy => ({
  ...policy,
  members: [...policy.members].sort((a, b) => (a.account < b.account ? -1 : a.account > b.account ? 1 : 0)),
})
