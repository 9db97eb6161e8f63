/**
 * Owns a second executor, written from the design alone: plain maps, copies instead of overlays, searches instead of
 * counters and lists, tokens that are removed with their object instead of incarnations. Amounts are whole units.
 */
import { isDeepStrictEqual } from 'node:util'
import type { AccountId } from '../../src/model/index.js'

type Code = string | undefined
/** A permission in one text: `Name` or `Name object`. */
export type Grant = string
export interface NaiveTrigger {
  uid: number
  authority: AccountId
  /** Kind of event; undefined: by call. */
  event: string | undefined
  list: readonly NaiveInstruction[]
  repeats: number | undefined
  enabled: boolean
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

/** An instruction in the few forms that histories are made of. */
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
  | { readonly op: 'registerDefinition'; readonly id: string; readonly once: boolean }
  | { readonly op: 'unregisterDefinition'; readonly id: string }
  | { readonly op: 'mint' | 'burn'; readonly of: string; readonly on: AccountId; readonly amount: bigint }
  | {
      readonly op: 'transfer'
      readonly of: string
      readonly from: AccountId
      readonly to: AccountId
      readonly amount: bigint
    }
  | {
      readonly op: 'batch'
      readonly of: string
      readonly from: AccountId
      readonly to: readonly AccountId[]
      readonly amount: bigint
    }
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
      readonly event: string | undefined
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
  | { readonly op: 'admission'; readonly domain: string }
  | { readonly op: 'log' }

interface State {
  domains: Map<string, { owner: AccountId; keys: Set<string> }>
  accounts: Map<AccountId, { domain: string; label: string | undefined }>
  definitions: Map<string, { owner: AccountId; mints: number | undefined }>
  balances: Map<string, bigint>
  nfts: Map<string, { owner: AccountId; keys: Set<string> }>
  tokens: Map<AccountId, Set<Grant>>
  roles: Map<string, { grants: Set<Grant>; managers: readonly AccountId[]; members: Set<AccountId> }>
  triggers: Map<string, NaiveTrigger>
  /** `first`: the one that the id is made of. */
  policies: Map<AccountId, Policy & { first: Policy }>
  proposals: NaiveProposal[]
  controls: Map<string, Control>
  sponsors: Set<string>
  uid: number
}
interface Told {
  readonly kind: string
  readonly matched: readonly { readonly id: string; readonly uid: number }[]
}

const homeOf = (id: string): string => id.slice(id.search(/[#$]/) + 1)
const asset = (of: string, on: AccountId): string => `${of} ${on}`
const GLOBAL = ['CanRegisterDomain', 'CanManageRoles', 'CanWatchEvents']

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
    sponsors: new Set(),
    uid: 0,
  }
  nowMs = 1
  /** Proposals that a transaction can name: those of transactions before it. */
  private known = 0

  /** One transaction: its error code, or undefined. */
  run(by: AccountId, list: readonly NaiveInstruction[]): Code {
    const before = structuredClone(this.state)
    this.known = this.state.proposals.length
    const code = this.list(by, list, { trigger: 0, proposal: 0 })
    if (code !== undefined) this.state = before
    return code
  }

  /** Units of a definition that are held. */
  held = (of: string): bigint =>
    [...this.state.balances].filter(([key]) => key.startsWith(`${of} `)).reduce((sum, [, held]) => sum + held, 0n)

  private list(by: AccountId, list: readonly NaiveInstruction[], depth: { trigger: number; proposal: number }): Code {
    for (const one of list) {
      const told: Told[] = []
      const code = this.one(by, one, told, depth) ?? this.follow(told, depth)
      if (code !== undefined) return code
    }
    return undefined
  }

  /** Triggers of what was told, each as it was then, in the order of their ids. */
  private follow(told: readonly Told[], depth: { trigger: number; proposal: number }): Code {
    for (const { id, uid } of told.flatMap((one) => one.matched)) {
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

  private tell(told: Told[], kind: string): void {
    const matched = [...this.state.triggers]
      .filter(([, one]) => one.event === kind && one.enabled)
      .map(([id, one]) => ({ id, uid: one.uid }))
    told.push({ kind, matched: matched.sort((a, b) => (a.id < b.id ? -1 : 1)) })
  }

  private holds(by: AccountId, grant: Grant): boolean {
    const { tokens, roles } = this.state
    if (tokens.get(by)?.has(grant)) return true
    return [...roles.values()].some((role) => role.members.has(by) && role.grants.has(grant))
  }
  private may(by: AccountId, owner: AccountId | undefined, ...grants: readonly Grant[]): Code {
    return by === owner || grants.some((grant) => this.holds(by, grant)) ? undefined : 'not_permitted'
  }

  /** Ways in which a global permission is held. */
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

  /** The object of a grant is gone, and with it the grant. */
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

  /** Who may grant, or a code when the object does not exist. */
  private grantor(grant: Grant): AccountId | undefined | 'absent' {
    const [name = '', object = ''] = grant.split(/ (.*)/s)
    const { domains, definitions, nfts, triggers, accounts } = this.state
    if (GLOBAL.includes(name)) return undefined
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
      [...sponsors].some((key) => key.startsWith(`${id} `)) ||
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

  private pay(by: AccountId, of: string, from: AccountId, to: AccountId, amount: bigint, told: Told[]): Code {
    const { definitions, accounts, balances } = this.state
    if (!definitions.has(of)) return 'absent'
    if (!accounts.has(from)) return 'unknown_account'
    const denied = this.may(by, from, `CanTransfer ${of}`, `CanTransferAsset ${asset(of, from)}`)
    if (denied !== undefined) return denied
    if (from === to) return 'self_transfer'
    if (amount <= 0n) return 'bad_amount'
    if (!accounts.has(to)) return 'unknown_account'
    const isForced = by !== from && this.holds(by, `CanTransfer ${of}`)
    if (!isForced) {
      const source = this.control(of, from)
      if (source.frozen) return 'asset_frozen'
      if (source.blacklisted || this.control(of, to).blacklisted) return 'asset_blacklisted'
      if (source.cap !== undefined) {
        if (source.spent + amount > source.cap) return 'transfer_limit'
        this.state.controls.set(asset(of, from), { ...source, spent: source.spent + amount })
      }
    }
    if ((balances.get(asset(of, from)) ?? 0n) < amount) return 'not_enough'
    this.add(of, from, -amount)
    this.add(of, to, amount)
    this.tell(told, 'transferred')
    return undefined
  }

  private expire(account: AccountId): void {
    for (const one of this.state.proposals) {
      if (one.account === account && one.status === 'open' && one.expiresMs <= this.nowMs) one.status = 'expired'
    }
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

  private one(by: AccountId, i: NaiveInstruction, told: Told[], depth: { trigger: number; proposal: number }): Code {
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
        accounts.set(i.id, { domain: i.domain, label: i.label })
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
        this.bury((object) => object === `account:${i.id}` || object.endsWith(` ${i.id}`))
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
        definitions.set(i.id, { owner: by, mints: i.once ? 1 : undefined })
        return undefined
      }
      case 'unregisterDefinition': {
        const found = definitions.get(i.id)
        if (found === undefined) return 'absent'
        const denied = this.may(by, found.owner)
        if (denied !== undefined) return denied
        if (this.held(i.id) > 0n) return 'not_empty'
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
        if (i.amount <= 0n) return 'bad_amount'
        if (found.mints === 0) return 'unmintable'
        if (!accounts.has(i.on)) return 'unknown_account'
        if (found.mints !== undefined) found.mints -= 1
        this.add(i.of, i.on, i.amount)
        this.tell(told, 'minted')
        return undefined
      }
      case 'burn': {
        const found = definitions.get(i.of)
        if (found === undefined) return 'absent'
        if (!accounts.has(i.on)) return 'unknown_account'
        const denied =
          this.may(by, i.on) && this.may(by, found.owner, `CanBurn ${i.of}`, `CanBurnAsset ${asset(i.of, i.on)}`)
        if (denied !== undefined) return denied
        if (i.amount <= 0n) return 'bad_amount'
        if ((balances.get(asset(i.of, i.on)) ?? 0n) < i.amount) return 'not_enough'
        this.add(i.of, i.on, -i.amount)
        this.tell(told, 'burned')
        return undefined
      }
      case 'transfer':
        return this.pay(by, i.of, i.from, i.to, i.amount, told)
      case 'batch': {
        if (i.to.length === 0) return 'bad_amount'
        for (const to of i.to) {
          const code = this.pay(by, i.of, i.from, to, i.amount, told)
          if (code !== undefined) return code
        }
        return undefined
      }
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
        if (i.event !== undefined && !this.holds(i.authority, 'CanWatchEvents')) return 'not_permitted'
        if (triggers.has(i.id)) return 'exists'
        const { authority, event, list, repeats } = i
        this.state.uid += 1
        triggers.set(i.id, { uid: this.state.uid, authority, event, list, repeats, enabled: true })
        return undefined
      }
      case 'unregisterTrigger': {
        const found = triggers.get(i.id)
        if (found === undefined) return 'absent'
        const watches = found.event !== undefined && this.holds(by, 'CanWatchEvents')
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
        found.repeats = i.repeats
        found.enabled = i.enabled
        return undefined
      }
      case 'callTrigger': {
        const found = triggers.get(i.id)
        if (found === undefined) return 'absent'
        const denied = this.may(by, found.authority, `CanExecuteTrigger trigger:${i.id}`)
        if (denied !== undefined) return denied
        if (found.event !== undefined || !found.enabled) return 'bad_trigger'
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
          accounts.set(i.account, { domain: 'bank', label: undefined })
        }
        policies.set(i.account, { ...i.policy, first: policies.get(i.account)?.first ?? i.policy })
        return undefined
      }
      case 'propose': {
        const fault = this.memberFault(by, i.account)
        if (fault !== undefined) return fault
        this.expire(i.account)
        // One transaction proposes the same once.
        const again = (one: NaiveProposal): boolean => isDeepStrictEqual(one.list, i.list)
        if (proposals.slice(this.known).some(again)) return 'exists'
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
        if (i.op === 'cap') next = { ...now, cap: i.cap, spent: i.cap === undefined ? 0n : now.spent }
        else next = { ...now, [i.op === 'freeze' ? 'frozen' : 'blacklisted']: i.value }
        this.state.controls.set(asset(i.of, i.on), next)
        return undefined
      }
      case 'sponsor': {
        const key = `${by} ${i.beneficiary}`
        if (i.end) return this.state.sponsors.delete(key) ? undefined : 'absent'
        if (!accounts.has(i.beneficiary)) return 'unknown_account'
        this.state.sponsors.add(key)
        return undefined
      }
      case 'admission': {
        const home = domains.get(i.domain)
        return home === undefined ? 'absent' : this.may(by, home.owner)
      }
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
