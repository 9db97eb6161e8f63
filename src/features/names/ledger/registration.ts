/** Owns leases: commitment, registration and renewal of names. */
import { sameBytes } from '../../../base/bytes.js'
import type { Infer } from '../../../codec/index.js'
import { accounts } from '../../../executor/accounts.js'
import { unknownAccount } from '../../../executor/addresses.js'
import { type ExecContext, type Execution, type Rejection, reject } from '../../../executor/contract.js'
import { domains } from '../../../ledger/tables.js'
import {
  type AccountId,
  keylessKind,
  labelFault,
  type NameId,
  nameText,
  sameRegistration,
} from '../../../model/index.js'
import type { StateReader } from '../../../state/index.js'
import { events } from '../schema/events.js'
import type { CommitName, RegisterName, RenewName } from '../schema/instructions.js'
import {
  AHEAD_YEARS_MAX,
  COMMITMENT_MAX_MS,
  COMMITMENT_MIN_MS,
  COMMITMENTS_MAX,
  type commitment,
  commitmentOf,
  LEASE_YEARS_MAX,
  type NamePolicy,
  YEAR_MS,
} from '../schema/records.js'
import { domainOfText, foundName, kindOf } from './found.js'
import { payLease, policyOf } from './policies.js'
import { reservedFault } from './reservations.js'
import { standingOf } from './resolution.js'
import {
  addSkeleton,
  countName,
  discount,
  hasRoom,
  leasesOf,
  lookalikes,
  type NameContent,
  newContent,
  writeName,
} from './rows.js'
import { commits, names } from './tables.js'

type Commitments = readonly Infer<typeof commitment>[]

/** Commitments of the current registration of the authority. */
function madeBy(ctx: ExecContext): Commitments {
  const row = ctx.get(commits, ctx.authority)
  const isOwn = sameRegistration(row?.accountIncarnation, ctx.get(accounts, ctx.authority)?.incarnation)
  return row === undefined || !isOwn ? [] : row.list
}

function keep(ctx: ExecContext, list: Commitments): void {
  if (list.length === 0) ctx.delete(commits, ctx.authority)
  else ctx.set(commits, ctx.authority, { accountIncarnation: ctx.get(accounts, ctx.authority)?.incarnation, list })
}

export const commitName: Execution<CommitName> = {
  cost: { base: 96 },
  execute(ctx, { commitment }) {
    const { timeMs } = ctx.env
    const open = madeBy(ctx).filter(({ atMs }) => timeMs - atMs <= COMMITMENT_MAX_MS)
    if (open.some((one) => sameBytes(one.commitment, commitment)))
      return reject('exists', 'the account has made this commitment')
    if (open.length >= COMMITMENTS_MAX)
      return reject('name_limit', `an account can make at most ${COMMITMENTS_MAX} commitments in 24 hours`)
    keep(ctx, [...open, { commitment, atMs: timeMs }])
    ctx.emit(events.nameCommitted, { commitment, account: ctx.authority })
    return undefined
  },
}

/** Consume a commitment of the authority; returns a rejection unless its age is within the bounds. */
function useCommitment(ctx: ExecContext, commitment: Uint8Array): Rejection | undefined {
  const made = madeBy(ctx)
  const found = made.find((one) => sameBytes(one.commitment, commitment))
  if (found === undefined) return reject('bad_commitment', 'the account has not committed to this registration')
  const age = ctx.env.timeMs - found.atMs
  if (age < COMMITMENT_MIN_MS) return reject('bad_commitment', `the commitment is younger than ${COMMITMENT_MIN_MS} ms`)
  if (age > COMMITMENT_MAX_MS) return reject('bad_commitment', `the commitment is older than ${COMMITMENT_MAX_MS} ms`)
  const rest = made.filter((one) => one !== found)
  keep(ctx, rest)
  return undefined
}

/** Reason why a name is too similar to others of its domain, or undefined. `isOther`: true if a name that is not open counts. */
export function confusableFault(
  state: StateReader,
  timeMs: number,
  name: NameId,
  isOther: (owner: AccountId, label: string) => boolean,
): Rejection | undefined {
  const labels = lookalikes(state, name)
  if (!hasRoom(labels, name.label))
    return reject('name_confusable', `too many labels of the domain look like ${name.label}`)
  for (const label of labels) {
    const like = { domain: name.domain, label }
    const row = label === name.label ? undefined : state.get(names, like)
    if (row === undefined || standingOf(state, like, timeMs) === 'open') continue
    if (isOther(row.owner, label)) return reject('name_confusable', `${nameText(name)} looks like ${nameText(like)}`)
  }
  return undefined
}

/** End times of a lease by the policy of its domain. */
const termOf = ({ graceMs, quarantineMs }: NamePolicy, expiresMs: number) => ({
  expiresMs,
  graceUntilMs: expiresMs + graceMs,
  quarantineUntilMs: expiresMs + graceMs + quarantineMs,
})

/** Reason why an account may not have another leased name in a domain, or undefined. */
export const leaseLimitFault = (
  ctx: ExecContext,
  name: NameId,
  owner: AccountId,
  policy: NamePolicy,
): Rejection | undefined =>
  leasesOf(ctx, name.domain, owner) >= policy.maxPerAccount
    ? reject('name_limit', `an account has at most ${policy.maxPerAccount} leased names in domain ${name.domain}`)
    : undefined

/**
 * Reason why the accounts of a new name are invalid, or undefined. A vault cannot have a name, which would prevent its
 * closing.
 */
export function accountsFault(ctx: ExecContext, ...ids: readonly AccountId[]): Rejection | undefined {
  const unknown = ids.find((id) => !ctx.has(accounts, id))
  if (unknown !== undefined) return unknownAccount(ctx, unknown)
  return ids.some((id) => keylessKind(id) === 'vault')
    ? reject('vault_closed', 'a vault can only receive objects through its agreement')
    : undefined
}

/** Write a name with its owner; the counts of an existing open row are replaced. */
export function establish(ctx: ExecContext, name: NameId, content: NameContent, account: AccountId): void {
  const old = ctx.get(names, name)
  if (old !== undefined) discount(ctx, name, old)
  countName(ctx, name, content.kind, content.owner, 1)
  writeName(ctx, name, content, account)
}

export const registerName: Execution<RegisterName> = {
  cost: { base: 320 },
  primaryDomain: ({ domain }) => domain,
  execute(ctx, { domain, label, owner, account = owner, years, salt, maxPrice }) {
    const { timeMs, chain } = ctx.env
    const unfit = labelFault(label)
    if (unfit !== undefined) return reject('bad_name', `${JSON.stringify(label)}: ${unfit}`)
    if (years < 1 || years > LEASE_YEARS_MAX)
      return reject('bad_term', `a lease must have between 1 and ${LEASE_YEARS_MAX} years`)
    if (!ctx.has(domains, domain)) return reject('absent', `domain ${domain} does not exist`)
    const policy = policyOf(ctx, domain)
    if (policy.mode !== 'leased') return reject('name_not_leased', `domain ${domain} leases no names`)
    if (label.length < policy.minLength)
      return reject('bad_name', `a label of domain ${domain} must have at least ${policy.minLength} characters`)
    const name = { domain, label }
    const used = useCommitment(ctx, commitmentOf({ chain, account: ctx.authority, name, owner, salt }))
    if (used) return used
    const standing = standingOf(ctx, name, timeMs)
    if (standing !== undefined && standing !== 'open') return reject('name_taken', `name ${nameText(name)} is taken`)
    const fault =
      reservedFault(ctx, name, owner, timeMs) ??
      confusableFault(ctx, timeMs, name, (other) => other !== owner) ??
      leaseLimitFault(ctx, name, owner, policy) ??
      accountsFault(ctx, owner, account) ??
      payLease(ctx, domain, policy, { label, years, maxPrice })
    if (fault) return fault
    const term = termOf(policy, timeMs + years * YEAR_MS)
    establish(ctx, name, newContent(ctx, 'leased', owner, term), account)
    addSkeleton(ctx, name)
    ctx.emit(events.nameRegistered, { name: nameText(name), owner, account, expiresMs: term.expiresMs })
    return undefined
  },
}

export const renewName: Execution<RenewName> = {
  cost: { base: 260 },
  primaryDomain: ({ name }) => domainOfText(name),
  execute(ctx, { name: text, years, maxPrice }) {
    const found = foundName(ctx, text)
    if ('code' in found) return found
    const { name, row, account, standing } = found
    if (standing === 'open') return reject('name_not_live', `name ${text} is open: it can be registered again`)
    if (standing === 'quarantine' && row?.owner !== ctx.authority)
      return reject('not_permitted', `renewing ${text} in quarantine requires its former owner`)
    if (row?.expiresMs === undefined || kindOf(found) !== 'leased')
      return reject('name_not_leased', `name ${text} is not leased`)
    const expiresMs = row.expiresMs + years * YEAR_MS
    if (years < 1 || expiresMs > ctx.env.timeMs + AHEAD_YEARS_MAX * YEAR_MS)
      return reject('bad_term', `a lease must end at most ${AHEAD_YEARS_MAX} years ahead`)
    const policy = policyOf(ctx, name.domain)
    const unpaid = payLease(ctx, name.domain, policy, { label: name.label, years, maxPrice })
    if (unpaid) return unpaid
    writeName(ctx, name, { ...row, ...termOf(policy, expiresMs) }, account)
    ctx.emit(events.nameRenewed, { name: text, owner: row.owner, expiresMs })
    return undefined
  },
}
