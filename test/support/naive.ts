/**
 * Owns a second executor, written from the design alone: plain maps, copies instead of overlays, searches instead of
 * counters and lists, tokens that are removed with their object instead of incarnations, fees by plain subtraction.
 * Amounts are counted in the finest unit of a decimal.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Numeric } from '../../src/codec/index.js'
import type { AccountId } from '../../src/model/index.js'

type Code = string | undefined
/** Permission as one text: `Name` or `Name object`. */
export type Grant = string
/** Condition of a trigger: a kind of event, points in time, the end of a block, or a call. */
export type NaiveFilter =
  | { readonly kind: 'event'; readonly event: string }
  | { readonly kind: 'time'; readonly startMs: number; readonly periodMs: number | undefined }
  | { readonly kind: 'preCommit' }
  | { readonly kind: 'call' }
export interface NaiveTrigger {
  uid: number
  authority: AccountId
  filter: NaiveFilter
  list: readonly NaiveInstruction[]
  repeats: number | undefined
  enabled: boolean
  dueMs: number | undefined
  failures: number
}
export interface NaiveLeg {
  readonly of: string
  readonly from: AccountId
  readonly to: AccountId
  readonly amount: Numeric
}
/** Settlement with the objects of the grants by which the payers of its legs agree. */
export interface NaiveSettlement {
  readonly id: string
  readonly pvp: boolean
  readonly legs: readonly [NaiveLeg, NaiveLeg]
  readonly agreements: Readonly<Record<AccountId, Grant>>
}
interface NaiveProposal {
  account: AccountId
  proposer: AccountId
  list: readonly NaiveInstruction[]
  approvals: AccountId[]
  expiresMs: number
  status: 'open' | 'executed' | 'cancelled' | 'expired'
}
interface Policy {
  members: readonly (readonly [AccountId, number])[]
  quorum: number
  ttlMs: number
}
interface Control {
  frozen: boolean
  blacklisted: boolean
  cap: bigint | undefined
  spent: bigint
}

/** Instruction in the few forms of histories. */
export type NaiveInstruction =
  | { readonly op: 'registerDomain' | 'unregisterDomain'; readonly domain: string }
  | {
      readonly op: 'registerAccount'
      readonly id: AccountId
      readonly domain: string
      readonly label: string | undefined
    }
  | { readonly op: 'unregisterAccount'; readonly id: AccountId }
  | { readonly op: 'setLabel'; readonly id: AccountId; readonly label: string | undefined }
  | {
      readonly op: 'registerDefinition'
      readonly id: string
      readonly once: boolean
      readonly scale: number | undefined
    }
  | { readonly op: 'unregisterDefinition'; readonly id: string }
  | { readonly op: 'mint' | 'burn'; readonly of: string; readonly on: AccountId; readonly amount: Numeric }
  | {
      readonly op: 'transfer'
      readonly of: string
      readonly from: AccountId
      readonly to: AccountId
      readonly amount: Numeric
    }
  | {
      readonly op: 'batch'
      readonly of: string
      readonly from: AccountId
      readonly to: readonly AccountId[]
      readonly amount: Numeric
    }
  | { readonly op: 'settle'; readonly settlement: NaiveSettlement }
  | { readonly op: 'registerNft' | 'unregisterNft'; readonly id: string }
  | { readonly op: 'own'; readonly kind: 'domain' | 'definition' | 'nft'; readonly id: string; readonly to: AccountId }
  | { readonly op: 'setKey' | 'removeKey'; readonly kind: 'domain' | 'nft'; readonly id: string }
  | {
      readonly op: 'registerRole'
      readonly id: string
      readonly grants: readonly Grant[]
      readonly managers: readonly AccountId[]
    }
  | { readonly op: 'unregisterRole'; readonly id: string }
  | {
      readonly op: 'grant' | 'revoke'
      readonly grant: Grant
      readonly account: AccountId | undefined
      readonly role: string | undefined
    }
  | { readonly op: 'grantRole' | 'revokeRole'; readonly role: string; readonly account: AccountId }
  | {
      readonly op: 'registerTrigger'
      readonly id: string
      readonly authority: AccountId
      readonly filter: NaiveFilter
      readonly list: readonly NaiveInstruction[]
      readonly repeats: number | undefined
    }
  | { readonly op: 'unregisterTrigger' | 'callTrigger'; readonly id: string }
  | {
      readonly op: 'changeTrigger'
      readonly id: string
      readonly repeats: number | undefined
      readonly enabled: boolean
    }
  | { readonly op: 'createMultisig'; readonly account: AccountId; readonly policy: Policy }
  | { readonly op: 'replacePolicy'; readonly account: AccountId; readonly policy: Policy }
  | { readonly op: 'propose'; readonly account: AccountId; readonly list: readonly NaiveInstruction[] }
  | { readonly op: 'approve' | 'cancel'; readonly account: AccountId; readonly proposal: number }
  | { readonly op: 'freeze' | 'blacklist'; readonly of: string; readonly on: AccountId; readonly value: boolean }
  | { readonly op: 'cap'; readonly of: string; readonly on: AccountId; readonly cap: bigint | undefined }
  | { readonly op: 'sponsor'; readonly beneficiary: AccountId; readonly end: boolean }
  | {
      readonly op: 'admission'
      readonly domain: string
      readonly implicit: boolean
      readonly minimum: bigint | undefined
      readonly role: string | undefined
    }
  | { readonly op: 'parameter'; readonly isGood: boolean }
  | { readonly op: 'relabelLane'; readonly alias: string }
  | { readonly op: 'dropPeer' }
  | { readonly op: 'log' }

interface State {
  domains: Map<string, { owner: AccountId; keys: Set<string> }>
  accounts: Map<AccountId, { uid: number; domain: string; label: string | undefined }>
  definitions: Map<string, { owner: AccountId; mints: number | undefined; scale: number | undefined }>
  balances: Map<string, bigint>
  nfts: Map<string, { owner: AccountId; keys: Set<string> }>
  tokens: Map<AccountId, Set<Grant>>
  roles: Map<string, { grants: Set<Grant>; managers: readonly AccountId[]; members: Set<AccountId> }>
  triggers: Map<string, NaiveTrigger>
  /** `first`: the policy that the id is derived from. */
  policies: Map<AccountId, Policy & { first: Policy }>
  proposals: NaiveProposal[]
  controls: Map<string, Control>
  /** By sponsor and beneficiary: incarnation of the beneficiary and spent amount. */
  sponsors: Map<string, { uid: number; spent: bigint }>
  settled: Set<string>
  admissions: Map<string, { minimum: bigint; role: string | undefined }>
  /** Number of accounts created by value, with their block and transaction. */
  admitted: Map<string, { block: number; run: number; inBlock: number; inRun: number }>
  /** Reserved fees during a transaction, by payer, and those waiting in the pot. */
  aside: Map<AccountId, bigint>
  pot: bigint
  uid: number
}
interface NaiveEvent {
  readonly kind: string
  readonly matched: readonly { readonly id: string; readonly uid: number }[]
}

/** First point of a schedule after a time. */
function nextPoint(filter: NaiveFilter & { readonly kind: 'time' }, afterMs: number): number | undefined {
  if (filter.startMs > afterMs || filter.periodMs === undefined)
    return filter.startMs > afterMs ? filter.startMs : undefined
  let point = filter.startMs
  while (point <= afterMs) point += filter.periodMs
  return point
}
/** True if actions of others, or every block, start it. */
const isWatching = ({ kind }: NaiveFilter): boolean => kind === 'event' || kind === 'preCommit'

const homeOf = (id: string): string => id.slice(id.search(/[#$]/) + 1)
const asset = (of: string, on: AccountId): string => `${of} ${on}`
const GLOBAL = [
  'CanRegisterDomain',
  'CanManageRoles',
  'CanWatchEvents',
  'CanSetParameters',
  'CanManageLanes',
  'CanManagePeers',
]

/** Fraction digits of the finest unit, and the maximum of units of a supply. */
const DECIMALS = 28
const SUPPLY_END = 1n << 511n
/** Amount in the finest unit. */
export const partsOf = ({ mantissa, scale }: Numeric): bigint => mantissa * 10n ** BigInt(DECIMALS - scale)
/** The same for whole units. */
const whole = (units: bigint): bigint => partsOf({ mantissa: units, scale: 0 })
/** Exclusive bound of amounts in a settlement receipt. */
const RECEIPT_END = 1n << 256n
/** Limits of a sponsor in these histories, for one transaction and in total. */
export const SPONSORED = { perTx: 6n, perDay: 6n }
/** Maximum accounts created by value, in one transaction and in one block. */
export const ADMITTED = { perTx: 1, perBlock: 2 }
/** Unit limits of a transaction, of all time triggers of a block, and of one pre-commit run. */
export const TEU = { transaction: 60_000, timers: 60_000, preCommit: 3_750 }
const FAILURES_MAX = 3

/** Fees of a chain: parts per unit, and their destination. */
export interface NaiveFees {
  readonly asset: string
  readonly perTeu: bigint
  readonly sink: 'burn' | 'pot' | { readonly account: AccountId }
}
/** Transaction of a block. */
export interface NaiveEntry {
  readonly by: AccountId
  readonly list: readonly NaiveInstruction[]
  readonly sponsor: AccountId | undefined
}

export class Naive {
  state: State = {
    domains: new Map(),
    accounts: new Map(),
    definitions: new Map(),
    balances: new Map(),
    nfts: new Map(),
    tokens: new Map(),
    roles: new Map(),
    triggers: new Map(),
    policies: new Map(),
    proposals: [],
    controls: new Map(),
    sponsors: new Map(),
    settled: new Set(),
    admissions: new Map(),
    admitted: new Map(),
    aside: new Map(),
    pot: 0n,
    uid: 0,
  }
  nowMs = 1
  /** True if value may create accounts at all. */
  admitsAccounts = true
  fees: NaiveFees | undefined
  /** Proposals that a transaction can name, and those of earlier transactions. */
  private known = 0
  private before = 0
  private block_ = 0
  private run_ = 0
  /** False in the block's own runs, which have no lane. */
  private hasLane = true

  /** Run one transaction: returns its error code, or undefined. */
  run(by: AccountId, list: readonly NaiveInstruction[]): Code {
    this.known = this.state.proposals.length
    return this.attempt(by, list)
  }

  private attempt(by: AccountId, list: readonly NaiveInstruction[]): Code {
    const state = structuredClone(this.state)
    this.before = this.state.proposals.length
    this.run_ += 1
    const code = this.list(by, list, { trigger: 0, proposal: 0 })
    if (code !== undefined) this.state = state
    return code
  }

  /** Run one block: returns the codes of its transactions and of the runs after them. `teu`: metered units of each. */
  block(nowMs: number, entries: readonly NaiveEntry[], teu: readonly number[]): Code[] {
    this.nowMs = nowMs
    this.block_ += 1
    this.known = this.state.proposals.length
    const codes = entries.map(({ by, list, sponsor }, place) =>
      this.paid({ by, sponsor, limit: TEU.transaction, teu: teu[place] ?? 0 }, () =>
        this.state.accounts.has(by) ? this.attempt(by, list) : 'unknown_account',
      ),
    )
    this.hasLane = false
    this.timers(codes, teu)
    for (const [id, found] of [...this.state.triggers].sort(([a], [b]) => (a < b ? -1 : 1))) {
      if (found.filter.kind !== 'preCommit' || !this.state.triggers.get(id)?.enabled) continue
      if (this.state.triggers.get(id)?.uid !== found.uid) continue
      // Triggers without the right to watch are skipped: no run, no failure.
      if (!this.holds(found.authority, 'CanWatchEvents')) continue
      this.scheduled(id, TEU.preCommit, codes, teu)
    }
    this.hasLane = true
    return codes
  }

  /** Due time triggers, oldest first. */
  private timers(codes: Code[], teu: readonly number[]): void {
    for (let left = TEU.timers; left > 0; ) {
      const due = [...this.state.triggers]
        .filter(([, one]) => one.dueMs !== undefined && one.dueMs <= this.nowMs)
        .sort(([a, x], [b, y]) => (x.dueMs ?? 0) - (y.dueMs ?? 0) || (a < b ? -1 : 1))[0]
      if (due === undefined) return
      const place = codes.length
      this.scheduled(due[0], TEU.transaction, codes, teu)
      left -= teu[place] ?? 0
    }
  }

  /** One run of a block: it counts in any case, and three failures in a row disable its trigger. */
  private scheduled(id: string, limit: number, codes: Code[], teu: readonly number[]): void {
    const found = this.state.triggers.get(id)
    if (found === undefined) return
    const { authority, list, uid, filter } = found
    if (filter.kind === 'time') found.dueMs = nextPoint(filter, this.nowMs)
    this.consume(id, found)
    const payment = { by: authority, sponsor: undefined, limit, teu: teu[codes.length] ?? 0 }
    const code = this.paid(payment, () => this.attempt(authority, list))
    codes.push(code)
    const after = this.state.triggers.get(id)
    if (after === undefined || after.uid !== uid) return
    after.failures = code === undefined ? 0 : after.failures + 1
    if (after.failures < FAILURES_MAX) return
    after.enabled = false
    after.dueMs = undefined
  }

  /** Fee of units, rounded up to the precision of its asset. */
  private price(perTeu: bigint, teu: number, scale: number | undefined): bigint {
    const part = 10n ** BigInt(DECIMALS - (scale ?? DECIMALS))
    return ((perTeu * BigInt(teu) + part - 1n) / part) * part
  }

  /** Payer for an account and its sponsorship; undefined: none. */
  private payerOf(by: AccountId, sponsor: AccountId | undefined, max: bigint) {
    if (sponsor === undefined) return { payer: by, key: undefined }
    const { accounts, sponsors } = this.state
    const key = `${sponsor} ${by}`
    const held = sponsors.get(key)
    if (held === undefined || held.uid !== accounts.get(by)?.uid) return undefined
    if (max > whole(SPONSORED.perTx) || held.spent + max > whole(SPONSORED.perDay)) return undefined
    return { payer: sponsor, key }
  }

  /** Run work between the reservation of its maximum fee and the payment of its cost. */
  private paid(
    { by, sponsor, limit, teu }: { by: AccountId; sponsor: AccountId | undefined; limit: number; teu: number },
    work: () => Code,
  ): Code {
    const { fees } = this
    const asset_ = fees === undefined ? undefined : this.state.definitions.get(fees.asset)
    if (fees === undefined || asset_ === undefined || this.held(fees.asset) === 0n) return work()
    const { scale } = asset_
    const max = this.price(fees.perTeu, limit, scale)
    const found = this.payerOf(by, sponsor, max)
    if (found === undefined) return 'fee_unpayable'
    const { payer, key } = found
    if ((this.state.balances.get(asset(fees.asset, payer)) ?? 0n) < max) return 'fee_unpayable'
    this.add(fees.asset, payer, -max)
    this.state.aside.set(payer, max)
    const code = work()
    this.state.aside.delete(payer)
    const fee = this.price(fees.perTeu, teu, scale)
    this.add(fees.asset, payer, max - fee)
    const sponsorship = key === undefined ? undefined : this.state.sponsors.get(key)
    if (sponsorship !== undefined) sponsorship.spent += fee
    if (fees.sink === 'pot') this.state.pot += fee
    else if (fees.sink !== 'burn' && this.state.accounts.has(fees.sink.account)) {
      this.add(fees.asset, fees.sink.account, fee)
    }
    return code
  }

  /** Supply of a definition in finest units: held, reserved for fees, and in the pot. */
  held = (of: string): bigint => {
    const own = [...this.state.balances].filter(([key]) => key.startsWith(`${of} `)).map(([, held]) => held)
    const apart = of === this.fees?.asset ? [...this.state.aside.values(), this.state.pot] : []
    return [...own, ...apart].reduce((sum, parts) => sum + parts, 0n)
  }

  private list(by: AccountId, list: readonly NaiveInstruction[], depth: { trigger: number; proposal: number }): Code {
    for (const one of list) {
      const events: NaiveEvent[] = []
      const code = this.one(by, one, events, depth) ?? this.follow(events, depth)
      if (code !== undefined) return code
    }
    return undefined
  }

  /** Run the triggers of events, each as at that time, in the order of their ids. */
  private follow(events: readonly NaiveEvent[], depth: { trigger: number; proposal: number }): Code {
    for (const { id, uid } of events.flatMap((one) => one.matched)) {
      const found = this.state.triggers.get(id)
      if (found === undefined || found.uid !== uid || !found.enabled) continue
      if (!this.holds(found.authority, 'CanWatchEvents')) continue
      if (depth.trigger === 3) return 'trigger_depth'
      this.consume(id, found)
      const code = this.list(found.authority, found.list, { ...depth, trigger: depth.trigger + 1 })
      if (code !== undefined) return code
    }
    return undefined
  }

  private consume(id: string, found: NaiveTrigger): void {
    if (found.repeats === undefined) return
    found.repeats -= 1
    if (found.repeats === 0) this.dropTrigger(id)
  }

  private emit(events: NaiveEvent[], kind: string): void {
    const matched = [...this.state.triggers]
      .filter(([, { filter, enabled }]) => filter.kind === 'event' && filter.event === kind && enabled)
      .map(([id, one]) => ({ id, uid: one.uid }))
    events.push({ kind, matched: matched.sort((a, b) => (a.id < b.id ? -1 : 1)) })
  }

  private holds(by: AccountId, grant: Grant): boolean {
    const { tokens, roles } = this.state
    if (tokens.get(by)?.has(grant)) return true
    return [...roles.values()].some((role) => role.members.has(by) && role.grants.has(grant))
  }
  private may(by: AccountId, owner: AccountId | undefined, ...grants: readonly Grant[]): Code {
    return by === owner || grants.some((grant) => this.holds(by, grant)) ? undefined : 'not_permitted'
  }

  /** Number of ways in which a global permission is held. */
  private ways(grant: Grant): number {
    const direct = [...this.state.tokens.values()].filter((held) => held.has(grant)).length
    return [...this.state.roles.values()].reduce(
      (sum, role) => sum + (role.grants.has(grant) ? role.members.size : 0),
      direct,
    )
  }
  private waysOf(account: AccountId, grant: Grant): number {
    const direct = this.state.tokens.get(account)?.has(grant) ? 1 : 0
    const roles = [...this.state.roles.values()].filter((role) => role.members.has(account) && role.grants.has(grant))
    return direct + roles.length
  }
  private losesLast(grant: Grant, count: number): boolean {
    return GLOBAL.includes(grant) && count > 0 && this.ways(grant) - count <= 0
  }

  /** Remove the grants on a removed object. */
  private bury(dies: (object: string) => boolean): void {
    const prune = (held: Set<Grant>): void => {
      for (const grant of [...held]) {
        const object = grant.slice(grant.indexOf(' ') + 1)
        if (grant.includes(' ') && dies(object)) held.delete(grant)
      }
    }
    for (const held of this.state.tokens.values()) prune(held)
    for (const role of this.state.roles.values()) prune(role.grants)
  }
  private buryGrant(grant: Grant): void {
    for (const held of this.state.tokens.values()) held.delete(grant)
    for (const role of this.state.roles.values()) role.grants.delete(grant)
  }
  private dropTrigger(id: string): void {
    this.state.triggers.delete(id)
    this.bury((object) => object === `trigger:${id}`)
  }

  /** Accounts that may grant, or a code if the object does not exist. */
  private grantor(grant: Grant): AccountId | undefined | 'absent' {
    const [name = '', object = ''] = grant.split(/ (.*)/s)
    const { domains, definitions, nfts, triggers, accounts } = this.state
    if (GLOBAL.includes(name)) return undefined
    if (object.startsWith('settle:')) {
      const account = object.slice(object.indexOf('@@') + 2)
      return accounts.has(account) ? account : 'absent'
    }
    if (object.startsWith('trigger:')) return triggers.get(object.slice(8))?.authority ?? 'absent'
    if (object.startsWith('account:')) return accounts.has(object.slice(8)) ? object.slice(8) : 'absent'
    if (object.includes(' ')) {
      const [of = '', on = ''] = object.split(/ (.*)/s)
      if (!definitions.has(of) || !accounts.has(on)) return 'absent'
      return name === 'CanTransferAsset' ? on : (definitions.get(of)?.owner ?? 'absent')
    }
    if (object.includes('#')) return definitions.get(object)?.owner ?? 'absent'
    if (object.includes('$')) {
      const nft = nfts.get(object)
      if (nft === undefined) return 'absent'
      return name === 'CanTransferNft' ? nft.owner : (domains.get(homeOf(object))?.owner ?? 'absent')
    }
    return domains.get(object)?.owner ?? 'absent'
  }
  private grantFault(by: AccountId, grant: Grant): Code {
    const grantor = this.grantor(grant)
    if (grantor === 'absent') return 'absent'
    return GLOBAL.includes(grant) ? this.may(by, undefined, grant) : grantor === by ? undefined : 'not_permitted'
  }
  private managed(by: AccountId, id: string): Code {
    const role = this.state.roles.get(id)
    if (role === undefined) return 'absent'
    return role.managers.includes(by) ? undefined : this.may(by, undefined, 'CanManageRoles')
  }

  private isUsed(id: AccountId): boolean {
    const { balances, domains, definitions, nfts, triggers, sponsors, proposals } = this.state
    return (
      [...balances.keys()].some((key) => key.endsWith(` ${id}`)) ||
      [...domains.values(), ...definitions.values(), ...nfts.values()].some((one) => one.owner === id) ||
      [...triggers.values()].some((one) => one.authority === id) ||
      [...sponsors.keys()].some((key) => key.startsWith(`${id} `)) ||
      this.state.aside.has(id) ||
      (typeof this.fees?.sink === 'object' && this.fees.sink.account === id) ||
      proposals.some((one) => one.account === id && one.status === 'open')
    )
  }

  private control(of: string, on: AccountId): Control {
    return this.state.controls.get(asset(of, on)) ?? { frozen: false, blacklisted: false, cap: undefined, spent: 0n }
  }
  private add(of: string, on: AccountId, amount: bigint): void {
    const sum = (this.state.balances.get(asset(of, on)) ?? 0n) + amount
    if (sum === 0n) this.state.balances.delete(asset(of, on))
    else this.state.balances.set(asset(of, on), sum)
  }

  private amountFault(amount: Numeric, scale: number | undefined): Code {
    if (amount.mantissa <= 0n) return 'bad_amount'
    return scale !== undefined && amount.scale > scale ? 'bad_scale' : undefined
  }

  /** Admission of value to an account, which it creates if the domain of the definition allows it. */
  private admit(of: string, to: AccountId, amount: Numeric): Code {
    const { accounts, domains, roles, admissions, admitted } = this.state
    if (accounts.has(to)) return undefined
    const domain = homeOf(of)
    const policy = admissions.get(domain)
    if (!this.admitsAccounts || policy === undefined) return 'unknown_account'
    if (partsOf(amount) < policy.minimum) return 'admission_limit'
    const role = policy.role === undefined ? undefined : roles.get(policy.role)
    if (policy.role !== undefined && role === undefined) return 'absent'
    const last = admitted.get(domain)
    const inBlock = last?.block === this.block_ ? last.inBlock : 0
    const inRun = last?.block === this.block_ && last.run === this.run_ ? last.inRun : 0
    if (inRun >= ADMITTED.perTx || inBlock >= ADMITTED.perBlock) return 'admission_limit'
    admitted.set(domain, { block: this.block_, run: this.run_, inBlock: inBlock + 1, inRun: inRun + 1 })
    const fault = role === undefined ? undefined : this.roleFault(role.grants, domains.get(domain)?.owner)
    if (fault !== undefined) return fault
    this.enter(to, domain, undefined)
    role?.members.add(to)
    return undefined
  }

  private roleFault(grants: ReadonlySet<Grant>, owner: AccountId | undefined): Code {
    const isFine = [...grants].every((grant) =>
      GLOBAL.includes(grant) ? owner !== undefined && this.holds(owner, grant) : this.grantor(grant) === owner,
    )
    return isFine ? undefined : 'not_permitted'
  }

  private enter(id: AccountId, domain: string, label: string | undefined): void {
    this.state.uid += 1
    this.state.accounts.set(id, { uid: this.state.uid, domain, label })
  }

  private controlled(of: string, from: AccountId, to: AccountId, parts: bigint): Code {
    const source = this.control(of, from)
    if (source.frozen) return 'asset_frozen'
    if (source.blacklisted || this.control(of, to).blacklisted) return 'asset_blacklisted'
    if (source.cap === undefined) return undefined
    if (source.spent + parts > source.cap) return 'transfer_limit'
    this.state.controls.set(asset(of, from), { ...source, spent: source.spent + parts })
    return undefined
  }

  private move(of: string, from: AccountId, to: AccountId, parts: bigint, events: NaiveEvent[]): Code {
    if ((this.state.balances.get(asset(of, from)) ?? 0n) < parts) return 'not_enough'
    this.add(of, from, -parts)
    this.add(of, to, parts)
    this.emit(events, 'transferred')
    return undefined
  }

  private settle(by: AccountId, { id, legs, agreements }: NaiveSettlement, events: NaiveEvent[]): Code {
    const { settled, definitions, accounts } = this.state
    if (settled.has(id)) return 'exists'
    if (!this.hasLane) return 'lane_mismatch'
    for (const { of, from, to, amount } of legs) {
      const found = definitions.get(of)
      if (found === undefined) return 'absent'
      if (!accounts.has(from)) return 'unknown_account'
      if (to === from) return 'self_transfer'
      if (from !== by && !this.holds(by, agreements[from] ?? '')) return 'not_permitted'
      const code =
        this.amountFault(amount, found.scale) ??
        this.admit(of, to, amount) ??
        this.controlled(of, from, to, partsOf(amount)) ??
        this.move(of, from, to, partsOf(amount), events)
      if (code !== undefined) return code
    }
    settled.add(id)
    return legs.some(({ amount }) => amount.mantissa >= RECEIPT_END) ? 'overflow' : undefined
  }

  private pay(by: AccountId, of: string, from: AccountId, to: AccountId, amount: Numeric, events: NaiveEvent[]): Code {
    const { definitions, accounts } = this.state
    const found = definitions.get(of)
    if (found === undefined) return 'absent'
    if (!accounts.has(from)) return 'unknown_account'
    const denied = this.may(by, from, `CanTransfer ${of}`, `CanTransferAsset ${asset(of, from)}`)
    if (denied !== undefined) return denied
    if (from === to) return 'self_transfer'
    const fault = this.amountFault(amount, found.scale) ?? this.admit(of, to, amount)
    if (fault !== undefined) return fault
    const isForced = by !== from && this.holds(by, `CanTransfer ${of}`)
    const barred = isForced ? undefined : this.controlled(of, from, to, partsOf(amount))
    return barred ?? this.move(of, from, to, partsOf(amount), events)
  }

  private expire(account: AccountId, most = Number.POSITIVE_INFINITY): void {
    const isOver = (one: NaiveProposal) =>
      one.account === account && one.status === 'open' && one.expiresMs <= this.nowMs
    for (const one of this.state.proposals.filter(isOver).slice(0, most)) one.status = 'expired'
  }
  private memberFault(by: AccountId, account: AccountId): Code {
    const policy = this.state.policies.get(account)
    if (policy === undefined || !this.state.accounts.has(account)) return 'absent'
    return policy.members.some(([member]) => member === by) ? undefined : 'not_a_member'
  }
  private hasQuorum({ account, approvals }: NaiveProposal): boolean {
    const policy = this.state.policies.get(account)
    if (policy === undefined) return false
    const weight = policy.members.reduce((sum, [member, one]) => (approvals.includes(member) ? sum + one : sum), 0)
    return weight >= policy.quorum
  }
  private execute(index: number, depth: { trigger: number; proposal: number }): void {
    const before = structuredClone(this.state)
    const proposal = this.state.proposals[index] as NaiveProposal
    proposal.status = 'executed'
    const code =
      depth.proposal === 3
        ? 'multisig_nesting'
        : this.list(proposal.account, proposal.list, { ...depth, proposal: depth.proposal + 1 })
    if (code !== undefined) this.state = before
  }

  private one(
    by: AccountId,
    i: NaiveInstruction,
    events: NaiveEvent[],
    depth: { trigger: number; proposal: number },
  ): Code {
    const { domains, accounts, definitions, balances, nfts, tokens, roles, triggers, policies, proposals } = this.state
    switch (i.op) {
      case 'log':
        return undefined
      case 'registerDomain': {
        const denied = this.may(by, undefined, 'CanRegisterDomain')
        if (denied !== undefined) return denied
        if (domains.has(i.domain)) return 'exists'
        domains.set(i.domain, { owner: by, keys: new Set() })
        return undefined
      }
      case 'unregisterDomain': {
        const found = domains.get(i.domain)
        if (found === undefined) return 'absent'
        const denied = this.may(by, found.owner, `CanUnregisterDomain ${i.domain}`)
        if (denied !== undefined) return denied
        const isHome = (id: string): boolean => homeOf(id) === i.domain
        const inside = [...definitions.keys(), ...nfts.keys()].some(isHome)
        if (inside || [...accounts.values()].some((one) => one.domain === i.domain)) return 'not_empty'
        domains.delete(i.domain)
        this.state.admissions.delete(i.domain)
        this.bury((object) => object === i.domain)
        return undefined
      }
      case 'registerAccount': {
        const home = domains.get(i.domain)
        if (home === undefined) return 'absent'
        const denied = this.may(by, home.owner, `CanRegisterAccount ${i.domain}`)
        if (denied !== undefined) return denied
        if (accounts.has(i.id)) return 'exists'
        if (this.isTaken(i.domain, i.label)) return 'bad_label'
        this.enter(i.id, i.domain, i.label)
        return undefined
      }
      case 'unregisterAccount': {
        const found = accounts.get(i.id)
        if (found === undefined) return 'unknown_account'
        const denied = this.may(by, i.id) && this.may(by, domains.get(found.domain)?.owner)
        if (denied !== undefined) return denied
        this.expire(i.id)
        if (this.isUsed(i.id)) return 'not_empty'
        if (GLOBAL.some((grant) => this.losesLast(grant, this.waysOf(i.id, grant)))) return 'last_holder'
        accounts.delete(i.id)
        tokens.delete(i.id)
        const policy = policies.get(i.id)
        if (
          policy !== undefined &&
          isDeepStrictEqual({ ...policy, first: undefined }, { ...policy.first, first: undefined })
        ) {
          policies.delete(i.id)
        }
        for (const role of roles.values()) {
          role.members.delete(i.id)
          role.managers = role.managers.filter((one) => one !== i.id)
        }
        this.bury(
          (object) => object === `account:${i.id}` || object.endsWith(` ${i.id}`) || object.endsWith(`@@${i.id}`),
        )
        return undefined
      }
      case 'setLabel': {
        const found = accounts.get(i.id)
        if (found === undefined) return 'unknown_account'
        const denied = this.may(by, i.id) && this.may(by, domains.get(found.domain)?.owner)
        if (denied !== undefined) return denied
        if (found.label === i.label || this.isTaken(found.domain, i.label)) return 'bad_label'
        found.label = i.label
        return undefined
      }
      case 'registerDefinition': {
        const home = domains.get(homeOf(i.id))
        if (home === undefined) return 'absent'
        const denied = this.may(by, home.owner, `CanRegisterAssetDefinition ${homeOf(i.id)}`)
        if (denied !== undefined) return denied
        if (definitions.has(i.id)) return 'exists'
        definitions.set(i.id, { owner: by, mints: i.once ? 1 : undefined, scale: i.scale })
        return undefined
      }
      case 'unregisterDefinition': {
        const found = definitions.get(i.id)
        if (found === undefined) return 'absent'
        const denied = this.may(by, found.owner)
        if (denied !== undefined) return denied
        if (this.held(i.id) > 0n || this.fees?.asset === i.id) return 'not_empty'
        definitions.delete(i.id)
        for (const key of [...this.state.controls.keys()])
          if (key.startsWith(`${i.id} `)) this.state.controls.delete(key)
        this.bury((object) => object === i.id || object.startsWith(`${i.id} `))
        return undefined
      }
      case 'mint': {
        const found = definitions.get(i.of)
        if (found === undefined) return 'absent'
        const denied = this.may(by, found.owner, `CanMint ${i.of}`, `CanMintAsset ${asset(i.of, i.on)}`)
        if (denied !== undefined) return denied
        const fault = this.amountFault(i.amount, found.scale)
        if (fault !== undefined) return fault
        if (found.mints === 0) return 'unmintable'
        if (this.held(i.of) + partsOf(i.amount) >= SUPPLY_END) return 'overflow'
        const barred = this.admit(i.of, i.on, i.amount)
        if (barred !== undefined) return barred
        if (found.mints !== undefined) found.mints -= 1
        this.add(i.of, i.on, partsOf(i.amount))
        this.emit(events, 'minted')
        return undefined
      }
      case 'burn': {
        const found = definitions.get(i.of)
        if (found === undefined) return 'absent'
        if (!accounts.has(i.on)) return 'unknown_account'
        const denied =
          this.may(by, i.on) && this.may(by, found.owner, `CanBurn ${i.of}`, `CanBurnAsset ${asset(i.of, i.on)}`)
        if (denied !== undefined) return denied
        const fault = this.amountFault(i.amount, found.scale)
        if (fault !== undefined) return fault
        if ((balances.get(asset(i.of, i.on)) ?? 0n) < partsOf(i.amount)) return 'not_enough'
        this.add(i.of, i.on, -partsOf(i.amount))
        this.emit(events, 'burned')
        return undefined
      }
      case 'transfer':
        return this.pay(by, i.of, i.from, i.to, i.amount, events)
      case 'batch': {
        if (i.to.length === 0) return 'bad_amount'
        for (const to of i.to) {
          const code = this.pay(by, i.of, i.from, to, i.amount, events)
          if (code !== undefined) return code
        }
        return undefined
      }
      case 'settle':
        return this.settle(by, i.settlement, events)
      case 'registerNft': {
        const home = domains.get(homeOf(i.id))
        if (home === undefined) return 'absent'
        const denied = this.may(by, home.owner, `CanRegisterNft ${homeOf(i.id)}`)
        if (denied !== undefined) return denied
        if (nfts.has(i.id)) return 'exists'
        nfts.set(i.id, { owner: by, keys: new Set() })
        return undefined
      }
      case 'unregisterNft': {
        const found = nfts.get(i.id)
        if (found === undefined) return 'absent'
        const denied = this.may(by, found.owner)
        if (denied !== undefined) return denied
        nfts.delete(i.id)
        this.bury((object) => object === i.id)
        return undefined
      }
      case 'own': {
        const table = { domain: domains, definition: definitions, nft: nfts }[i.kind]
        const found = (table as Map<string, { owner: AccountId }>).get(i.id)
        if (found === undefined) return 'absent'
        const denied = this.may(by, found.owner, ...(i.kind === 'nft' ? [`CanTransferNft ${i.id}`] : []))
        if (denied !== undefined) return denied
        if (found.owner === i.to) return 'self_transfer'
        if (!accounts.has(i.to)) return 'unknown_account'
        found.owner = i.to
        if (i.kind === 'nft') this.buryGrant(`CanTransferNft ${i.id}`)
        return undefined
      }
      case 'setKey':
      case 'removeKey': {
        const found = i.kind === 'domain' ? domains.get(i.id) : nfts.get(i.id)
        if (found === undefined) return 'absent'
        const owner = i.kind === 'domain' ? found.owner : domains.get(homeOf(i.id))?.owner
        const denied = this.may(by, owner, `CanModify${i.kind === 'domain' ? 'Domain' : 'Nft'}Metadata ${i.id}`)
        if (denied !== undefined) return denied
        if (i.op === 'setKey') found.keys.add('k')
        else if (!found.keys.delete('k')) return 'absent'
        return undefined
      }
      case 'registerRole': {
        const denied = this.may(by, undefined, 'CanManageRoles')
        if (denied !== undefined) return denied
        if (roles.has(i.id)) return 'exists'
        for (const grant of i.grants) {
          const fault = this.grantFault(by, grant)
          if (fault !== undefined) return fault
        }
        if (!i.managers.every((one) => accounts.has(one))) return 'unknown_account'
        roles.set(i.id, { grants: new Set(i.grants), managers: i.managers, members: new Set() })
        return undefined
      }
      case 'unregisterRole': {
        const denied = this.managed(by, i.id)
        if (denied !== undefined) return denied
        if ((roles.get(i.id)?.members.size ?? 0) > 0) return 'not_empty'
        roles.delete(i.id)
        return undefined
      }
      case 'grant':
      case 'revoke':
        return this.token(by, i)
      case 'grantRole':
      case 'revokeRole': {
        const denied = this.managed(by, i.role)
        if (denied !== undefined) return denied
        if (!accounts.has(i.account)) return 'unknown_account'
        const role = roles.get(i.role)
        if (role === undefined) return 'absent'
        if (i.op === 'grantRole') {
          if (role.members.has(i.account)) return 'exists'
          role.members.add(i.account)
          return undefined
        }
        if (!role.members.has(i.account)) return 'absent'
        if ([...role.grants].some((grant) => this.losesLast(grant, 1))) return 'last_holder'
        role.members.delete(i.account)
        return undefined
      }
      case 'registerTrigger': {
        if (!accounts.has(i.authority)) return 'unknown_account'
        const denied = this.may(by, i.authority, `CanRegisterTrigger account:${i.authority}`)
        if (denied !== undefined) return denied
        const { authority, filter, list, repeats } = i
        if (isWatching(filter) && !this.holds(authority, 'CanWatchEvents')) return 'not_permitted'
        if (triggers.has(i.id)) return 'exists'
        const isTime = filter.kind === 'time'
        if (isTime && (filter.startMs < this.nowMs || (filter.periodMs === undefined && repeats !== 1))) {
          return 'bad_trigger'
        }
        this.state.uid += 1
        const dueMs = isTime ? filter.startMs : undefined
        const { uid } = this.state
        triggers.set(i.id, { uid, authority, filter, list, repeats, enabled: true, dueMs, failures: 0 })
        return undefined
      }
      case 'unregisterTrigger': {
        const found = triggers.get(i.id)
        if (found === undefined) return 'absent'
        const watches = isWatching(found.filter) && this.holds(by, 'CanWatchEvents')
        const denied = watches ? undefined : this.may(by, found.authority, `CanManageTrigger trigger:${i.id}`)
        if (denied !== undefined) return denied
        this.dropTrigger(i.id)
        return undefined
      }
      case 'changeTrigger': {
        const found = triggers.get(i.id)
        if (found === undefined) return 'absent'
        const denied = this.may(by, found.authority, `CanManageTrigger trigger:${i.id}`)
        if (denied !== undefined) return denied
        const { filter } = found
        if (filter.kind === 'time') {
          if (filter.periodMs === undefined && i.repeats !== 1) return 'bad_trigger'
          const dueMs = i.enabled ? (found.dueMs ?? nextPoint(filter, this.nowMs)) : undefined
          if (i.enabled && dueMs === undefined) return 'bad_trigger'
          found.dueMs = dueMs
        }
        found.repeats = i.repeats
        found.enabled = i.enabled
        if (i.enabled) found.failures = 0
        return undefined
      }
      case 'callTrigger': {
        const found = triggers.get(i.id)
        if (found === undefined) return 'absent'
        const denied = this.may(by, found.authority, `CanExecuteTrigger trigger:${i.id}`)
        if (denied !== undefined) return denied
        if (found.filter.kind !== 'call' || !found.enabled) return 'bad_trigger'
        this.consume(i.id, found)
        if (depth.trigger === 3) return 'trigger_depth'
        return this.list(found.authority, found.list, { ...depth, trigger: depth.trigger + 1 })
      }
      case 'createMultisig':
      case 'replacePolicy': {
        if (i.op === 'createMultisig' && policies.has(i.account)) return 'exists'
        if (i.op === 'replacePolicy') {
          if (!policies.has(i.account) || !accounts.has(i.account)) return 'absent'
          if (by !== i.account) return 'not_permitted'
        }
        if (!i.policy.members.every(([member]) => accounts.has(member))) return 'unknown_account'
        if (i.policy.members.some(([member]) => member === i.account)) return 'multisig_nesting'
        if (!accounts.has(i.account)) {
          const home = domains.get('bank')
          if (home === undefined) return 'absent'
          const denied = this.may(by, home.owner, 'CanRegisterAccount bank')
          if (denied !== undefined) return denied
          this.enter(i.account, 'bank', undefined)
        }
        policies.set(i.account, { ...i.policy, first: policies.get(i.account)?.first ?? i.policy })
        return undefined
      }
      case 'propose': {
        const fault = this.memberFault(by, i.account)
        if (fault !== undefined) return fault
        this.expire(i.account, 4)
        // A transaction cannot propose the same list twice. Compared as clones, because drawn records may have no
        // prototype and stored ones have one.
        const wanted = structuredClone(i.list)
        const again = (one: NaiveProposal): boolean => isDeepStrictEqual(structuredClone(one.list), wanted)
        if (proposals.slice(this.before).some(again)) return 'exists'
        const expiresMs = this.nowMs + (policies.get(i.account)?.ttlMs ?? 0)
        const { account, list } = i
        proposals.push({ account, proposer: by, list, approvals: [by], expiresMs, status: 'open' })
        const index = proposals.length - 1
        if (this.hasQuorum(proposals[index] as NaiveProposal)) this.execute(index, depth)
        return undefined
      }
      case 'approve': {
        const fault = this.memberFault(by, i.account)
        if (fault !== undefined) return fault
        const found = i.proposal < this.known ? proposals[i.proposal] : undefined
        if (found === undefined || found.account !== i.account || found.status !== 'open') return 'absent'
        if (found.expiresMs <= this.nowMs) return 'proposal_expired'
        if (found.approvals.includes(by)) {
          if (!this.hasQuorum(found)) return 'exists'
        } else found.approvals.push(by)
        if (this.hasQuorum(found)) this.execute(i.proposal, depth)
        return undefined
      }
      case 'cancel': {
        const found = i.proposal < this.known ? proposals[i.proposal] : undefined
        if (found === undefined || found.account !== i.account || found.status !== 'open') return 'absent'
        const isAlone = found.proposer === by && found.approvals.length === 1
        if (!isAlone && by !== i.account) return 'not_permitted'
        found.status = 'cancelled'
        return undefined
      }
      case 'freeze':
      case 'blacklist':
      case 'cap': {
        const found = definitions.get(i.of)
        if (found === undefined) return 'absent'
        const denied = this.may(by, found.owner, `CanControl ${i.of}`)
        if (denied !== undefined) return denied
        const now = this.control(i.of, i.on)
        let next: Control
        const cap = i.op === 'cap' && i.cap !== undefined ? whole(i.cap) : undefined
        if (i.op === 'cap') next = { ...now, cap, spent: cap === undefined ? 0n : now.spent }
        else next = { ...now, [i.op === 'freeze' ? 'frozen' : 'blacklisted']: i.value }
        this.state.controls.set(asset(i.of, i.on), next)
        return undefined
      }
      case 'sponsor': {
        const key = `${by} ${i.beneficiary}`
        if (i.end) return this.state.sponsors.delete(key) ? undefined : 'absent'
        const uid = accounts.get(i.beneficiary)?.uid
        if (uid === undefined) return 'unknown_account'
        const held = this.state.sponsors.get(key)
        this.state.sponsors.set(key, { uid, spent: held?.uid === uid ? held.spent : 0n })
        return undefined
      }
      case 'admission': {
        const home = domains.get(i.domain)
        if (home === undefined) return 'absent'
        const denied = this.may(by, home.owner)
        if (denied !== undefined) return denied
        const role = i.role === undefined ? undefined : roles.get(i.role)
        if (i.role !== undefined && role === undefined) return 'absent'
        const fault = role === undefined ? undefined : this.roleFault(role.grants, home.owner)
        if (fault !== undefined) return fault
        if (i.implicit) this.state.admissions.set(i.domain, { minimum: whole(i.minimum ?? 0n), role: i.role })
        else this.state.admissions.delete(i.domain)
        return undefined
      }
      case 'parameter':
        return this.may(by, undefined, 'CanSetParameters') ?? (i.isGood ? undefined : 'bad_parameter')
      case 'relabelLane':
        return this.may(by, undefined, 'CanManageLanes')
      case 'dropPeer':
        return this.may(by, undefined, 'CanManagePeers') ?? 'absent'
    }
  }

  private isTaken(domain: string, label: string | undefined): boolean {
    if (label === undefined) return false
    return [...this.state.accounts.values()].some((one) => one.domain === domain && one.label === label)
  }

  private token(by: AccountId, i: Extract<NaiveInstruction, { op: 'grant' | 'revoke' }>): Code {
    const { accounts, tokens, roles } = this.state
    if (i.role !== undefined) {
      const role = roles.get(i.role)
      const mayTake = i.op === 'revoke' && role !== undefined && this.grantFault(by, i.grant) === undefined
      const denied = mayTake ? undefined : this.managed(by, i.role)
      if (denied !== undefined) return denied
      const fault =
        i.op === 'grant' ? this.grantFault(by, i.grant) : this.grantor(i.grant) === 'absent' ? 'absent' : undefined
      if (role === undefined || fault !== undefined) return fault
      if (i.op === 'grant') {
        if (role.grants.has(i.grant)) return 'exists'
        role.grants.add(i.grant)
        return undefined
      }
      if (!role.grants.has(i.grant)) return 'absent'
      if (this.losesLast(i.grant, role.members.size)) return 'last_holder'
      role.grants.delete(i.grant)
      return undefined
    }
    const fault = this.grantFault(by, i.grant)
    if (fault !== undefined) return fault
    const account = i.account ?? ''
    if (!accounts.has(account)) return 'unknown_account'
    const held = tokens.get(account) ?? new Set<Grant>()
    if (i.op === 'grant') {
      if (held.has(i.grant)) return 'exists'
      tokens.set(account, held.add(i.grant))
      return undefined
    }
    if (!held.has(i.grant)) return 'absent'
    if (this.losesLast(i.grant, 1)) return 'last_holder'
    held.delete(i.grant)
    return undefined
  }
}
