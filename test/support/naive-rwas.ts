/**
 * Owns a second execution of lots, written from the page of their design alone: plain maps without rows, balances as
 * sums of lots, and income distributed to all lots at its declaration.
 */
import type { AccountId, RwaFlags } from '../../src/model/index.js'

interface NaiveHold {
  readonly id: number
  readonly kind: 'legal' | 'redemption'
  readonly quantity: bigint
  readonly until: number | undefined
}
export interface NaiveLot {
  holder: AccountId
  /** Account that delivered it into a vault. */
  pledgor: AccountId | undefined
  quantity: bigint
  frozen: boolean
  readonly grade: string
  readonly parents: readonly (readonly [number: number, quantity: bigint])[]
  holds: NaiveHold[]
  holdsMade: number
  /** Income since its owner or quantity last changed. */
  earned: bigint
}

export interface NaiveDelivery {
  /** Id of the settlement. */
  readonly id: string
  readonly number: number
  readonly quantity: bigint
  readonly buyer: AccountId
  readonly price: bigint
}

/** Restrictions of an issuer on the balance of an account. */
interface NaiveControl {
  frozen: boolean
  blacklisted: boolean
  perDay: bigint | undefined
}
const FREE: NaiveControl = { frozen: false, blacklisted: false, perDay: undefined }

const PARTS = 10n ** 18n
const DAY_MS = 86_400_000
const HOLDS_MAX = 8

type Code = string | undefined

/** State that a transaction can change. */
interface World {
  lots: Map<number, NaiveLot>
  spent: Set<number>
  next: number
  paused: boolean
  flags: { -readonly [K in keyof RwaFlags]: boolean }
  eligible: Map<AccountId, number>
  controls: Map<AccountId, NaiveControl>
  left: { account: AccountId; day: number; amount: bigint }[]
  cash: Map<AccountId, bigint>
  barred: Set<AccountId>
  owed: Map<AccountId, bigint>
  carry: bigint
  pool: bigint
  isDeclared: boolean
  settled: Set<string>
}

/** World with one class, in hundredths. */
export class NaiveRwas {
  nowMs = 0
  world: World

  constructor(
    private readonly issuer: AccountId,
    private readonly isVault: (account: AccountId) => boolean,
    flags: RwaFlags,
    private readonly holdersMax: number | undefined,
    cash: Iterable<readonly [AccountId, bigint]>,
  ) {
    this.world = {
      lots: new Map(),
      spent: new Set(),
      next: 1,
      paused: false,
      flags: { ...flags },
      eligible: new Map(),
      controls: new Map(),
      left: [],
      cash: new Map(cash),
      barred: new Set(),
      owed: new Map(),
      carry: 0n,
      pool: 0n,
      isDeclared: false,
      settled: new Set(),
    }
  }

  /** Run one instruction; a rejected one leaves no changes. */
  run(work: () => Code): Code {
    const before = structuredClone(this.world)
    const code = work()
    if (code !== undefined) this.world = before
    return code
  }

  balanceOf(account: AccountId): bigint {
    let sum = 0n
    for (const { holder, quantity } of this.world.lots.values()) if (holder === account) sum += quantity
    return sum
  }

  get total(): bigint {
    let sum = 0n
    for (const { quantity } of this.world.lots.values()) sum += quantity
    return sum
  }

  ownerOf = ({ holder, pledgor }: NaiveLot): AccountId => pledgor ?? holder

  /** Accounts that own a lot. */
  get owners(): Set<AccountId> {
    return new Set([...this.world.lots.values()].map(this.ownerOf))
  }

  live(lot: NaiveLot): NaiveHold[] {
    return lot.holds.filter(({ until }) => until === undefined || until > this.nowMs)
  }

  private heldOf(lot: NaiveLot): bigint {
    return this.live(lot).reduce((sum, { quantity }) => sum + quantity, 0n)
  }

  private controlOf(account: AccountId): NaiveControl {
    return this.world.controls.get(account) ?? FREE
  }

  private quantityCode(lot: NaiveLot, quantity: bigint): Code {
    if (quantity <= 0n) return 'bad_amount'
    const held = this.heldOf(lot)
    if (held > 0n && quantity > lot.quantity - held) return 'lot_held'
    return quantity > lot.quantity ? 'not_enough' : undefined
  }

  private ownerCode(to: AccountId, leaver: AccountId | undefined): Code {
    if (this.world.flags.eligibleOnly && !this.isVault(to) && (this.world.eligible.get(to) ?? 0) <= this.nowMs)
      return 'not_eligible'
    const after = new Set([...this.owners, to])
    const isLast =
      leaver !== undefined && [...this.world.lots.values()].filter((one) => this.ownerOf(one) === leaver).length === 1
    if (isLast) after.delete(leaver)
    const isNew = !this.owners.has(to)
    return this.holdersMax !== undefined && isNew && after.size > this.holdersMax ? 'holder_limit' : undefined
  }

  private controlCode(from: AccountId, to: AccountId, amount: bigint): Code {
    const source = this.controlOf(from)
    if (source.frozen) return 'asset_frozen'
    if (source.blacklisted || this.controlOf(to).blacklisted) return 'asset_blacklisted'
    if (source.perDay === undefined) return undefined
    const day = Math.floor(this.nowMs / DAY_MS)
    const today = this.world.left.filter((one) => one.account === from && one.day === day)
    const spent = today.reduce((sum, one) => sum + one.amount, 0n)
    if (spent + amount > source.perDay) return 'transfer_limit'
    this.world.left.push({ account: from, day, amount })
    return undefined
  }

  private add(lot: Omit<NaiveLot, 'holds' | 'holdsMade' | 'frozen' | 'earned'>): number {
    const number = this.world.next
    this.world.next += 1
    this.world.lots.set(number, { ...lot, frozen: false, holds: [], holdsMade: 0, earned: 0n })
    return number
  }

  /** Credit the income of a lot to its owner. */
  private settle(lot: NaiveLot): void {
    if (lot.earned === 0n) return
    const owner = this.ownerOf(lot)
    this.world.owed.set(owner, (this.world.owed.get(owner) ?? 0n) + lot.earned)
    lot.earned = 0n
  }

  private spend(number: number): void {
    this.world.lots.delete(number)
    this.world.spent.add(number)
  }

  /** Move a lot or a part: common to transfers, pledges, returns and deliveries. */
  private move(
    number: number,
    to: AccountId,
    quantity: bigint | undefined,
    rule: { readonly isForced?: boolean; readonly isVaultOpen?: boolean },
  ): Code {
    const lot = this.world.lots.get(number)
    if (lot === undefined) return 'absent'
    const amount = quantity ?? lot.quantity
    const owner = this.ownerOf(lot)
    const isPledge = this.isVault(to)
    const isOwn = isPledge || to === owner
    if (this.world.paused) return 'class_paused'
    if (rule.isForced !== true) {
      if (lot.frozen) return 'lot_frozen'
      const code = this.quantityCode(lot, amount)
      if (code !== undefined) return code
    }
    const isWhole = amount === lot.quantity
    if (!isOwn) {
      const code = this.ownerCode(to, isWhole ? owner : undefined)
      if (code !== undefined) return code
    }
    if (to === lot.holder) return 'self_transfer'
    if (rule.isVaultOpen !== true && (isPledge || this.isVault(lot.holder))) return 'vault_closed'
    const code = rule.isForced === true ? undefined : this.controlCode(lot.holder, to, amount)
    if (code !== undefined) return code
    const pledgor = isPledge ? owner : undefined
    this.settle(lot)
    if (isWhole) {
      lot.holder = to
      lot.pledgor = pledgor
      if (rule.isForced !== true) lot.holds = []
      return undefined
    }
    lot.quantity -= amount
    this.add({ holder: to, pledgor, quantity: amount, grade: lot.grade, parents: [[number, amount]] })
    return undefined
  }

  issue(by: AccountId, to: AccountId, quantity: bigint, grade: string): Code {
    if (by !== this.issuer) return 'not_permitted'
    if (this.world.paused) return 'class_paused'
    if (quantity <= 0n) return 'bad_amount'
    const code = this.ownerCode(to, undefined)
    if (code !== undefined) return code
    if (this.isVault(to)) return 'vault_closed'
    this.add({ holder: to, pledgor: undefined, quantity, grade, parents: [] })
    return undefined
  }

  transfer(by: AccountId, number: number, to: AccountId, quantity: bigint | undefined): Code {
    const lot = this.world.lots.get(number)
    if (lot === undefined) return 'absent'
    return lot.holder === by ? this.move(number, to, quantity, {}) : 'not_permitted'
  }

  /** Rule of a vault: movement into or out of it. */
  agree(number: number, to: AccountId, quantity: bigint | undefined): Code {
    return this.move(number, to, quantity, { isVaultOpen: true })
  }

  split(by: AccountId, number: number, quantities: readonly bigint[]): Code {
    const lot = this.world.lots.get(number)
    if (lot === undefined) return 'absent'
    if (lot.holder !== by) return 'not_permitted'
    if (this.world.paused) return 'class_paused'
    if (lot.frozen) return 'lot_frozen'
    if (quantities.length === 0 || quantities.some((one) => one <= 0n)) return 'bad_amount'
    const sum = quantities.reduce((total, one) => total + one, 0n)
    const code = this.quantityCode(lot, sum)
    if (code !== undefined) return code
    this.settle(lot)
    for (const quantity of quantities)
      this.add({ holder: by, pledgor: undefined, quantity, grade: lot.grade, parents: [[number, quantity]] })
    lot.quantity -= sum
    if (lot.quantity === 0n) this.spend(number)
    return undefined
  }

  merge(by: AccountId, numbers: readonly number[]): Code {
    if (new Set(numbers).size < numbers.length) return 'lot_mismatch'
    const lots = numbers.map((number) => this.world.lots.get(number))
    if (lots.some((one) => one === undefined)) return 'absent'
    const found = lots as NaiveLot[]
    if (found.length < 2) return 'bad_amount'
    if (found.some(({ holder }) => holder !== by)) return 'not_permitted'
    if (this.world.paused) return 'class_paused'
    if (found.some(({ frozen }) => frozen)) return 'lot_frozen'
    if (found.some((one) => this.heldOf(one) > 0n)) return 'lot_held'
    if (new Set(found.map(({ grade }) => grade)).size > 1) return 'lot_mismatch'
    const quantity = found.reduce((sum, one) => sum + one.quantity, 0n)
    const parents = found.map((one, at) => [numbers[at] ?? 0, one.quantity] as const)
    this.add({ holder: by, pledgor: undefined, quantity, grade: found[0]?.grade ?? '', parents })
    for (const one of found) this.settle(one)
    for (const number of numbers) this.spend(number)
    return undefined
  }

  freeze(by: AccountId, number: number, frozen: boolean): Code {
    const lot = this.world.lots.get(number)
    if (lot === undefined) return 'absent'
    if (by !== this.issuer) return 'not_permitted'
    if (frozen && !this.world.flags.freeze) return 'control_off'
    lot.frozen = frozen
    return undefined
  }

  private addHold(lot: NaiveLot, kind: NaiveHold['kind'], quantity: bigint, until: number | undefined): Code {
    const code = this.quantityCode(lot, quantity)
    if (code !== undefined) return code
    if (this.live(lot).length === HOLDS_MAX) return 'lot_held'
    lot.holds = this.live(lot)
    lot.holdsMade += 1
    lot.holds.push({ id: lot.holdsMade, kind, quantity, until })
    return undefined
  }

  hold(by: AccountId, number: number, quantity: bigint, until: number | undefined): Code {
    const lot = this.world.lots.get(number)
    if (lot === undefined) return 'absent'
    if (by !== this.issuer) return 'not_permitted'
    if (!this.world.flags.hold) return 'control_off'
    return this.addHold(lot, 'legal', quantity, until)
  }

  release(by: AccountId, number: number, id: number): Code {
    const lot = this.world.lots.get(number)
    const hold = lot && this.live(lot).find((one) => one.id === id && one.kind === 'legal')
    if (lot === undefined || hold === undefined) return 'absent'
    if (by !== this.issuer) return 'not_permitted'
    lot.holds = lot.holds.filter((one) => one !== hold)
    return undefined
  }

  force(by: AccountId, numbers: readonly number[], to: AccountId): Code {
    if (numbers.length === 0) return 'bad_amount'
    if (new Set(numbers).size < numbers.length) return 'lot_mismatch'
    for (const number of numbers) {
      if (!this.world.lots.has(number)) return 'absent'
      if (by !== this.issuer) return 'not_permitted'
      if (!this.world.flags.force) return 'control_off'
      const code = this.move(number, to, undefined, { isForced: true })
      if (code !== undefined) return code
    }
    return undefined
  }

  request(by: AccountId, number: number, quantity: bigint): Code {
    const lot = this.world.lots.get(number)
    if (lot === undefined) return 'absent'
    if (lot.holder !== by) return 'not_permitted'
    if (!this.world.flags.redeem) return 'control_off'
    if (this.world.paused) return 'class_paused'
    if (lot.frozen) return 'lot_frozen'
    return this.addHold(lot, 'redemption', quantity, undefined)
  }

  redeem(by: AccountId, number: number, id: number, accept: boolean): Code {
    const lot = this.world.lots.get(number)
    const hold = lot && this.live(lot).find((one) => one.id === id && one.kind === 'redemption')
    if (lot === undefined || hold === undefined) return 'absent'
    if (by !== this.issuer && (accept || by !== lot.holder)) return 'not_permitted'
    if (accept) {
      if (this.world.paused) return 'class_paused'
      if (lot.frozen) return 'lot_frozen'
      this.settle(lot)
      lot.quantity -= hold.quantity
    }
    lot.holds = lot.holds.filter((one) => one !== hold)
    if (lot.quantity === 0n) this.spend(number)
    return undefined
  }

  admit(by: AccountId, account: AccountId, until: number | undefined): Code {
    if (by !== this.issuer) return 'not_permitted'
    if (until === undefined) this.world.eligible.delete(account)
    else this.world.eligible.set(account, until)
    return undefined
  }

  change(by: AccountId, paused: boolean | undefined, clear: readonly (keyof RwaFlags)[]): Code {
    if (by !== this.issuer) return 'not_permitted'
    this.world.paused = paused ?? this.world.paused
    for (const flag of clear) this.world.flags[flag] = false
    return undefined
  }

  private pay(from: AccountId | undefined, to: AccountId | undefined, amount: bigint): Code {
    const held = from === undefined ? this.world.pool : (this.world.cash.get(from) ?? 0n)
    if (from !== undefined && this.world.barred.has(from)) return 'asset_blacklisted'
    if (to !== undefined && this.world.barred.has(to)) return 'asset_blacklisted'
    if (held < amount) return 'not_enough'
    if (from === undefined) this.world.pool -= amount
    else this.world.cash.set(from, held - amount)
    if (to === undefined) this.world.pool += amount
    else this.world.cash.set(to, (this.world.cash.get(to) ?? 0n) + amount)
    return undefined
  }

  declare(by: AccountId, amount: bigint): Code {
    if (by !== this.issuer) return 'not_permitted'
    if (amount <= 0n) return 'bad_amount'
    const code = this.pay(by, undefined, amount)
    if (code !== undefined) return code
    if (this.total === 0n) return 'bad_amount'
    this.world.isDeclared = true
    const shared = amount * PARTS + this.world.carry
    const each = shared / this.total
    this.world.carry = shared - each * this.total
    for (const lot of this.world.lots.values()) lot.earned += lot.quantity * each
    return undefined
  }

  claim(numbers: readonly number[], accounts: readonly AccountId[]): Code {
    if (new Set(numbers).size < numbers.length) return 'lot_mismatch'
    if (!this.world.isDeclared) return 'absent'
    const owners: AccountId[] = []
    for (const number of numbers) {
      const lot = this.world.lots.get(number)
      if (lot === undefined) return 'absent'
      this.settle(lot)
      owners.push(this.ownerOf(lot))
    }
    let isPaid = false
    for (const account of new Set([...owners, ...accounts])) {
      const owed = this.world.owed.get(account) ?? 0n
      const amount = owed / PARTS
      if (amount === 0n) continue
      const code = this.pay(undefined, account, amount)
      if (code !== undefined) return code
      this.world.owed.set(account, owed - amount * PARTS)
      isPaid = true
    }
    return isPaid ? undefined : 'not_enough'
  }

  /**
   * Delivery by its holder against cash of a buyer. `isAgreed`: the buyer permitted the holder to settle these terms.
   */
  deliver(by: AccountId, { id, number, quantity, buyer, price }: NaiveDelivery, isAgreed: boolean): Code {
    if (this.world.settled.has(id)) return 'exists'
    const lot = this.world.lots.get(number)
    if (lot === undefined) return 'absent'
    if (by !== lot.holder) return 'not_permitted'
    const code = this.move(number, buyer, quantity, {})
    if (code !== undefined) return code
    if (!isAgreed) return 'not_permitted'
    this.world.settled.add(id)
    return this.pay(buyer, by, price)
  }

  /** The sum of amounts paid in and not paid out equals the owed amounts plus a remainder, in units of 10^-18. */
  get isIncomeExact(): boolean {
    let sum = this.world.carry
    for (const { earned } of this.world.lots.values()) sum += earned
    for (const owed of this.world.owed.values()) sum += owed
    return sum === this.world.pool * PARTS
  }
}
