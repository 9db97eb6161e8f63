/**
 * Owns a second registry of names, written from the design alone: one map of names, searches instead of counters and
 * skeleton rows, whole copies of earlier versions. One domain, whose names are leased.
 */
import type { AccountId } from '../../src/model/index.js'

type Code = string | undefined
const DAY = 86_400_000
const YEAR = 365 * DAY

/** Current name; `uid`: its incarnation, `parent`: that of its parent. */
export interface NaiveName {
  kind: 'assigned' | 'leased' | 'sub'
  owner: AccountId
  account: AccountId
  manager: AccountId | undefined
  records: Record<string, string>
  since: number
  expires: number | undefined
  grace: number | undefined
  quarantine: number | undefined
  uid: number
  parent: number | undefined
}

export type NaiveStep =
  | { readonly do: 'commit'; readonly label: string; readonly owner: AccountId; readonly salt: number }
  | {
      readonly do: 'register'
      readonly label: string
      readonly owner: AccountId
      readonly account: AccountId | undefined
      readonly years: number
      readonly salt: number
      readonly most: number | undefined
    }
  | { readonly do: 'renew'; readonly name: string; readonly years: number; readonly most: number | undefined }
  | { readonly do: 'transfer'; readonly names: readonly string[]; readonly to: AccountId }
  | { readonly do: 'account'; readonly name: string; readonly account: AccountId }
  | { readonly do: 'records'; readonly name: string; readonly key: string; readonly value: string | undefined }
  | { readonly do: 'manager'; readonly name: string; readonly manager: AccountId | undefined }
  | {
      readonly do: 'sub'
      readonly parent: string
      readonly label: string
      readonly owner: AccountId
      readonly expires: number | undefined
    }
  | { readonly do: 'removeSub' | 'release' | 'prune'; readonly name: string }
  | { readonly do: 'label'; readonly account: AccountId; readonly label: string | undefined }
  | { readonly do: 'reserve'; readonly label: string; readonly assignee: AccountId | undefined }
  | { readonly do: 'unreserve'; readonly label: string }

const isLabel = (text: string): boolean =>
  text.length <= 63 &&
  text
    .split('-')
    .every((part) => part !== '' && [...part].every((c) => 'abcdefghijklmnopqrstuvwxyz0123456789'.includes(c)))
const isPath = (text: string): boolean => {
  const labels = text.split('.')
  return labels.length <= 4 && text.length <= 128 && labels.every(isLabel)
}
const skeleton = (label: string): string =>
  [...label]
    .map((c) => (c === '0' ? 'o' : c === '1' ? 'l' : c))
    .join('')
    .split('rn')
    .join('m')
    .split('vv')
    .join('w')
    .split('-')
    .join('')

export class NaiveNames {
  now = 0
  readonly names = new Map<string, NaiveName>()
  /** Balances of accounts in the asset of lease payments. */
  readonly purse = new Map<AccountId, number>()
  private commits: { readonly by: AccountId; readonly what: string; readonly at: number }[] = []
  private readonly reservations = new Map<string, { readonly assignee: AccountId | undefined }>()
  private uids = 0

  constructor(
    private readonly owner: AccountId,
    private readonly accounts: readonly AccountId[],
    private readonly policy: {
      readonly prices: readonly [number, number, number]
      readonly minLength: number
      readonly grace: number
      readonly quarantine: number
      readonly most: number
    },
  ) {}

  standing(name: string): 'live' | 'active' | 'grace' | 'quarantine' | 'open' | undefined {
    const one = this.names.get(name)
    if (one === undefined) return undefined
    if (one.kind === 'assigned') return 'live'
    if (one.kind === 'leased') {
      if (this.now < (one.expires ?? 0)) return 'active'
      if (this.now < (one.grace ?? 0)) return 'grace'
      return this.now < (one.quarantine ?? 0) ? 'quarantine' : 'open'
    }
    const above = name.slice(name.indexOf('.') + 1)
    if (one.expires !== undefined && this.now >= one.expires) return 'open'
    if (this.names.get(above)?.uid !== one.parent) return 'open'
    return this.standing(above)
  }
  /** Current account of a name. */
  resolve(name: string): AccountId | undefined {
    const standing = this.standing(name)
    return standing === 'quarantine' || standing === 'open' ? undefined : this.names.get(name)?.account
  }
  leases = (of: AccountId): number =>
    [...this.names.values()].filter(({ kind, owner }) => kind === 'leased' && owner === of).length
  /** Number of names that count as objects of an account. */
  owned = (of: AccountId): number =>
    [...this.names.values()].filter(({ kind, owner }) => kind !== 'assigned' && owner === of).length
  get members(): number {
    return [...this.names.values()].filter(({ kind }) => kind !== 'assigned').length
  }
  children(name: string): number {
    const uid = this.names.get(name)?.uid
    return [...this.names].filter(
      ([text, one]) => one.kind === 'sub' && text.slice(text.indexOf('.') + 1) === name && one.parent === uid,
    ).length
  }

  /** Execute a step as an account: returns the code, or undefined. */
  run(by: AccountId, step: NaiveStep): Code {
    const before = structuredClone([...this.names])
    const [purse, commits] = [new Map(this.purse), this.commits]
    const code = this.step(by, step)
    if (code !== undefined) {
      this.names.clear()
      for (const [name, one] of before) this.names.set(name, one)
      this.purse.clear()
      for (const [account, amount] of purse) this.purse.set(account, amount)
      this.commits = commits
    }
    return code
  }

  private put(name: string, of: Partial<NaiveName> & Pick<NaiveName, 'kind' | 'owner' | 'account'>): void {
    this.uids += 1
    const [nothing, uid] = [undefined, this.uids]
    const empty = {
      manager: nothing,
      records: {},
      expires: nothing,
      grace: nothing,
      quarantine: nothing,
      parent: nothing,
    }
    this.names.set(name, { ...empty, since: this.now, uid, ...of })
  }
  private isReserved(label: string, account: AccountId): boolean {
    const found = this.reservations.get(skeleton(label))
    return found !== undefined && found.assignee !== account
  }
  /** Labels similar to one. */
  private alike(label: string): string[] {
    return [...this.names.keys()].filter((name) => !name.includes('.') && skeleton(name) === skeleton(label))
  }
  private pay(by: AccountId, label: string, years: number, most: number | undefined): Code {
    const price = (this.policy.prices[Math.min(Math.max(label.length, 3), 5) - 3] ?? 0) * years
    if (price === 0) return undefined
    if (most !== undefined && price > most) return 'price_changed'
    if (by === this.owner) return undefined
    const held = this.purse.get(by) ?? 0
    if (held < price) return 'not_enough'
    this.purse.set(by, held - price)
    this.purse.set(this.owner, (this.purse.get(this.owner) ?? 0) + price)
    return undefined
  }
  /** Name that resolves, or the code. */
  private live(name: string): NaiveName | string {
    if (!isPath(name)) return 'bad_name'
    const one = this.names.get(name)
    if (one === undefined) return 'absent'
    return this.resolve(name) === undefined ? 'name_not_live' : one
  }

  private step(by: AccountId, step: NaiveStep): Code {
    switch (step.do) {
      case 'commit': {
        const what = `${step.label} ${step.owner} ${step.salt}`
        const mine = this.commits.filter((one) => one.by === by && this.now - one.at <= DAY)
        if (mine.some((one) => one.what === what)) return 'exists'
        if (mine.length >= 8) return 'name_limit'
        this.commits = [...this.commits.filter((one) => one.by !== by), ...mine, { by, what, at: this.now }]
        return undefined
      }
      case 'register': {
        const { label, owner, years, salt, most, account = owner } = step
        if (!isLabel(label)) return 'bad_name'
        if (years < 1 || years > 5) return 'bad_term'
        if (label.length < this.policy.minLength) return 'bad_name'
        const what = `${label} ${owner} ${salt}`
        const made = this.commits.find((one) => one.by === by && one.what === what)
        if (made === undefined || this.now - made.at < 5_000 || this.now - made.at > DAY) return 'bad_commitment'
        this.commits = this.commits.filter((one) => one !== made)
        const standing = this.standing(label)
        if (standing !== undefined && standing !== 'open') return 'name_taken'
        if (this.isReserved(label, owner)) return 'name_reserved'
        const alike = this.alike(label)
        if (!alike.includes(label) && alike.length >= 8) return 'name_confusable'
        if (alike.some((one) => one !== label && this.standing(one) !== 'open' && this.names.get(one)?.owner !== owner))
          return 'name_confusable'
        if (this.leases(owner) >= this.policy.most) return 'name_limit'
        if (![owner, account].every((one) => this.accounts.includes(one))) return 'unknown_account'
        const unpaid = this.pay(by, label, years, most)
        if (unpaid !== undefined) return unpaid
        const expires = this.now + years * YEAR
        const grace = expires + this.policy.grace
        this.put(label, { kind: 'leased', owner, account, expires, grace, quarantine: grace + this.policy.quarantine })
        return undefined
      }
      case 'renew': {
        if (!isPath(step.name)) return 'bad_name'
        const one = this.names.get(step.name)
        if (one === undefined) return 'absent'
        const standing = this.standing(step.name)
        if (standing === 'open') return 'name_not_live'
        if (standing === 'quarantine' && one.owner !== by) return 'not_permitted'
        if (one.kind !== 'leased') return 'name_not_leased'
        const expires = (one.expires ?? 0) + step.years * YEAR
        if (step.years < 1 || expires > this.now + 10 * YEAR) return 'bad_term'
        const unpaid = this.pay(by, step.name, step.years, step.most)
        if (unpaid !== undefined) return unpaid
        one.expires = expires
        one.grace = expires + this.policy.grace
        one.quarantine = one.grace + this.policy.quarantine
        return undefined
      }
      case 'transfer': {
        if (step.names.length === 0) return 'bad_name'
        for (const name of step.names) {
          const one = this.live(name)
          if (typeof one === 'string') return one
          const from = one.kind === 'assigned' ? one.account : one.owner
          if (from !== by) return 'not_permitted'
          if (one.kind === 'assigned') return 'name_not_leased'
          if (!this.accounts.includes(step.to)) return 'unknown_account'
          if (one.kind === 'leased' && step.to !== from) {
            const kept = this.alike(name).filter((other) => other !== name && !step.names.includes(other))
            if (kept.some((other) => this.standing(other) !== 'open' && this.names.get(other)?.owner === from))
              return 'name_confusable'
            if (this.leases(step.to) >= this.policy.most) return 'name_limit'
          }
          Object.assign(one, { owner: step.to, account: step.to, manager: undefined, records: {}, since: this.now })
        }
        return undefined
      }
      case 'account': {
        const one = this.live(step.name)
        if (typeof one === 'string') return one
        if ((one.kind === 'assigned' ? one.account : one.owner) !== by) return 'not_permitted'
        if (one.kind === 'assigned') return 'name_not_leased'
        if (!this.accounts.includes(step.account)) return 'unknown_account'
        one.account = step.account
        return undefined
      }
      case 'records': {
        const one = this.live(step.name)
        if (typeof one === 'string') return one
        const holder = one.kind === 'assigned' ? one.account : one.owner
        if (holder !== by && one.manager !== by) return 'not_permitted'
        if (!/^text:[a-z0-9.-]{1,32}$/.test(step.key) || (step.value ?? '').includes('\n')) return 'bad_record'
        const { [step.key]: _old, ...rest } = one.records
        one.records = step.value === undefined ? rest : { ...rest, [step.key]: step.value }
        return undefined
      }
      case 'manager': {
        const one = this.live(step.name)
        if (typeof one === 'string') return one
        if ((one.kind === 'assigned' ? one.account : one.owner) !== by) return 'not_permitted'
        if (step.manager !== undefined && !this.accounts.includes(step.manager)) return 'unknown_account'
        one.manager = step.manager
        return undefined
      }
      case 'sub': {
        if (!isLabel(step.label)) return 'bad_name'
        const one = this.live(step.parent)
        if (typeof one === 'string') return one
        if ((one.kind === 'assigned' ? one.account : one.owner) !== by) return 'not_permitted'
        const name = `${step.label}.${step.parent}`
        if (!isPath(name)) return 'bad_name'
        const standing = this.standing(name)
        if (standing !== undefined && standing !== 'open') return 'name_taken'
        if (!this.accounts.includes(step.owner)) return 'unknown_account'
        if (step.expires !== undefined && step.expires <= this.now) return 'bad_term'
        const { owner, expires } = step
        this.put(name, { kind: 'sub', owner, account: owner, expires, parent: one.uid })
        return undefined
      }
      case 'removeSub': {
        const one = this.live(step.name)
        if (typeof one === 'string') return one
        const above = this.names.get(step.name.slice(step.name.indexOf('.') + 1))
        const aboveHolder = above?.kind === 'assigned' ? above.account : above?.owner
        const holder = one.kind === 'assigned' ? one.account : one.owner
        if (holder !== by && !(one.kind === 'sub' && aboveHolder === by)) return 'not_permitted'
        if (one.kind !== 'sub') return 'name_not_leased'
        if (this.children(step.name) > 0) return 'not_empty'
        this.names.delete(step.name)
        return undefined
      }
      case 'release': {
        const one = this.live(step.name)
        if (typeof one === 'string') return one
        if ((one.kind === 'assigned' ? one.account : one.owner) !== by) return 'not_permitted'
        if (one.kind !== 'leased') return 'name_not_leased'
        if (this.children(step.name) > 0) return 'not_empty'
        one.expires = this.now
        one.grace = this.now
        one.quarantine = this.now + this.policy.quarantine
        return undefined
      }
      case 'prune': {
        if (!isPath(step.name)) return 'bad_name'
        const standing = this.standing(step.name)
        if (standing === undefined) return 'absent'
        if (standing !== 'open') return 'name_taken'
        this.names.delete(step.name)
        return undefined
      }
      case 'label': {
        if (by !== step.account && by !== this.owner) return 'not_permitted'
        const old = [...this.names].find(([, one]) => one.kind === 'assigned' && one.account === step.account)?.[0]
        if (old === step.label) return 'bad_label'
        if (step.label !== undefined) {
          if (!isLabel(step.label)) return 'bad_name'
          const standing = this.standing(step.label)
          if (standing === 'live') return 'bad_label'
          if (standing !== undefined && standing !== 'open') return 'name_taken'
          if (this.isReserved(step.label, step.account)) return 'name_reserved'
          if (by !== this.owner) return 'not_permitted'
          const alike = this.alike(step.label)
          if (!alike.includes(step.label) && alike.length >= 8) return 'name_confusable'
          this.put(step.label, { kind: 'assigned', owner: step.account, account: step.account })
        }
        if (old !== undefined) this.names.delete(old)
        return undefined
      }
      case 'reserve': {
        if (!isLabel(step.label)) return 'bad_name'
        if (by !== this.owner) return 'not_permitted'
        const standing = this.standing(step.label)
        if (standing !== undefined && standing !== 'open') return 'name_taken'
        this.reservations.set(skeleton(step.label), { assignee: step.assignee })
        return undefined
      }
      case 'unreserve': {
        if (!isLabel(step.label)) return 'bad_name'
        if (by !== this.owner) return 'not_permitted'
        this.reservations.delete(skeleton(step.label))
        return undefined
      }
    }
  }
}
