/** Owns the policy of a multisig account and the id that follows from the first one (docs/design/lanes.md 3). */
import { type Infer, list, struct, u8, u16, varint } from '../codec/index.js'
import { hash } from '../crypto/index.js'
import { type AccountId, accountId, accountOfPolicyHash, keylessKind } from './address.js'
import { MULTISIG_MEMBERS_MAX } from './limits.js'

/** A member and what its word weighs. */
export interface MultisigMember extends Infer<typeof member_> {}
const member_ = struct('MultisigMember', { account: accountId, weight: u8 })
/** Who speaks for a multisig account. */
export interface MultisigPolicy extends Infer<typeof multisigPolicy> {}
export const multisigPolicy = struct('MultisigPolicy', {
  /** Ascending by the bytes of their ids, each once. */
  members: list(member_, MULTISIG_MEMBERS_MAX),
  quorum: u16,
  /** Longest life of a proposal, in ms of header time. */
  ttlMs: varint,
})

/** Longest life of a proposal that a policy may allow: a year, in ms. */
export const PROPOSAL_TTL_MAX_MS = 366 * 86_400_000

/** Why a policy cannot be one, or undefined; what it says of other accounts is judged by the ledger. */
export function policyFault(policy: MultisigPolicy): string | undefined {
  const { members, quorum, ttlMs } = policy
  if (members.length === 0) return 'a policy has at least one member'
  for (const [index, { account, weight }] of members.entries()) {
    if (weight < 1) return 'a weight is at least 1'
    if (keylessKind(account) !== undefined) return 'a member has a key or members of its own'
    const before = members[index - 1]
    if (before !== undefined && before.account >= account) return 'members must be in the order of their ids, each once'
  }
  const sum = weightOf(policy, new Set(members.map((member) => member.account)))
  if (quorum < 1 || quorum > sum) return `the quorum must be between 1 and ${sum}, the sum of the weights`
  if (ttlMs < 1 || ttlMs > PROPOSAL_TTL_MAX_MS) return `ttl_ms must be between 1 and ${PROPOSAL_TTL_MAX_MS}`
  return undefined
}

/** Weight of the members among these accounts. */
export const weightOf = (policy: MultisigPolicy, accounts: ReadonlySet<AccountId>): number =>
  policy.members.reduce((sum, { account, weight }) => (accounts.has(account) ? sum + weight : sum), 0)

/** Id of the account that starts with this policy; it stays when the policy changes. */
export const multisigAccount = (policy: MultisigPolicy): AccountId =>
  accountOfPolicyHash(hash('multisig', multisigPolicy.encode(policy)))

/** The policy with its members in canonical order. */
export const sortedPolicy = (policy: MultisigPolicy): MultisigPolicy => ({
  ...policy,
  members: [...policy.members].sort((a, b) => (a.account < b.account ? -1 : a.account > b.account ? 1 : 0)),
})
