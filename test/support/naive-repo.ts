/**
 * Owns a second ledger of repos, written from the design before the first: fractions of integers, dates by `Date`, and
 * every instruction tried on a copy. Amounts are in the smallest unit: all definitions here have two fraction digits.
 */
const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

/** Calendar of business days, in minutes after midnight and days as `2026-11-30`. */
export interface NaiveCalendar {
  readonly offsetMinutes: number
  readonly cutoffMinute: number
  /** 0 is Sunday, as in `Date`. */
  readonly weekend: readonly number[]
  readonly holidays: readonly string[]
}
export interface NaiveItem {
  readonly definition: string
  readonly amount: bigint
}
export interface NaiveTerms {
  readonly cash: bigint
  readonly collateral: readonly NaiveItem[]
  readonly eligible: Readonly<Record<string, bigint>>
  readonly ratePpm: bigint
  readonly basis: bigint
  readonly purchase: string
  readonly repurchase: string
  readonly threshold: bigint
  readonly minimum: bigint
  readonly marginDays: number
  readonly posters: readonly string[]
  readonly maxAgeMs: number
  readonly graceMs: number
}
export interface NaiveSides {
  readonly seller: string
  readonly buyer: string
  readonly custodian?: string
}
type Status = 'proposed' | 'waiting' | 'open' | 'late' | 'defaulted' | 'closed'
interface NaiveRepo extends NaiveSides {
  readonly reference: string
  readonly terms: NaiveTerms
  readonly proposedMs: number
  /** Start of the purchase date. */
  readonly opensMs: number
  consents: string[]
  status: Status
  items: Map<string, bigint>
  margin: bigint
  callDueMs: number | undefined
  early: { readonly by: string; readonly day: number } | undefined
  cause: string | undefined
  shortfall: bigint
  /** Time of the scheduled run. */
  runMs: number | undefined
}
/** Price of a unit in cash, as a fraction, and its posting time. */
interface NaivePrice {
  readonly over: bigint
  readonly under: bigint
  readonly atMs: number
}
/** Cap of what a balance pays on one day. */
interface NaiveCap {
  readonly most: bigint
  /** Day of the counted amount, since the epoch. */
  readonly day: number
  readonly spent: bigint
}
interface State {
  readonly balances: Map<string, bigint>
  readonly repos: Map<string, NaiveRepo>
  readonly caps: Map<string, NaiveCap>
}
/** Rejection of an instruction. */
class Refused extends Error {
  constructor(readonly code: string) {
    super(code)
  }
}
const refuse = (code: string): never => {
  throw new Refused(code)
}

/** Greatest integer not above a fraction. */
const down = (over: bigint, under: bigint): bigint => {
  const whole = over / under
  return over < 0n && whole * under !== over ? whole - 1n : whole
}
const up = (over: bigint, under: bigint): bigint => -down(-over, under)
/** Nearest integer; a half is rounded away from zero. */
const nearest = (over: bigint, under: bigint): bigint =>
  over < 0n ? -down(-2n * over + under, 2n * under) : down(2n * over + under, 2n * under)

const dateOf = (day: string): Date => new Date(`${day}T00:00:00Z`)
const textOf = (date: Date): string => date.toISOString().slice(0, 10)
const plus = (day: string, days: number): string => textOf(new Date(dateOf(day).getTime() + days * DAY_MS))
const between = (from: string, to: string): number => (dateOf(to).getTime() - dateOf(from).getTime()) / DAY_MS

export const isBusinessDay = ({ weekend, holidays }: NaiveCalendar, day: string): boolean =>
  !weekend.includes(dateOf(day).getUTCDay()) && !holidays.includes(day)

/** Day of a time; it begins with the cut-off of the previous day. */
function dayAt({ offsetMinutes, cutoffMinute }: NaiveCalendar, timeMs: number): string {
  const local = new Date(timeMs + offsetMinutes * 60_000)
  const isAfter = local.getUTCHours() * 60 + local.getUTCMinutes() >= cutoffMinute
  return plus(textOf(local), isAfter ? 1 : 0)
}
function following(calendar: NaiveCalendar, day: string): string {
  let found = day
  while (!isBusinessDay(calendar, found)) found = plus(found, 1)
  return found
}
export const businessDateAt = (calendar: NaiveCalendar, timeMs: number): string =>
  following(calendar, dayAt(calendar, timeMs))
export function ahead(calendar: NaiveCalendar, day: string, count: number): string {
  let found = following(calendar, day)
  for (let left = count; left > 0; left -= 1) found = following(calendar, plus(found, 1))
  return found
}
/** Start time of a day: the cut-off of the previous day. */
const startMs = ({ offsetMinutes, cutoffMinute }: NaiveCalendar, day: string): number =>
  dateOf(plus(day, -1)).getTime() + (cutoffMinute - offsetMinutes) * 60_000

export class NaiveRepos {
  nowMs = 0
  balances = new Map<string, bigint>()
  repos = new Map<string, NaiveRepo>()
  readonly frozen = new Set<string>()
  readonly blacklisted = new Set<string>()
  /** Caps of a day by `definition account`, with the amount that they counted. */
  caps = new Map<string, NaiveCap>()
  /** By `poster definition`. */
  readonly prices = new Map<string, NaivePrice>()

  constructor(
    readonly cash: string,
    readonly calendar: NaiveCalendar,
  ) {}

  /** Do all of the work or none: returns the code of the rejection. */
  try(work: () => void): string | undefined {
    const before: State = {
      balances: new Map(this.balances),
      repos: new Map([...this.repos].map(([key, repo]) => [key, { ...repo, items: new Map(repo.items) }])),
      caps: new Map(this.caps),
    }
    try {
      work()
      return undefined
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      this.balances = before.balances
      this.repos = before.repos
      this.caps = before.caps
      return error.code
    }
  }

  balance(definition: string, account: string): bigint {
    return this.balances.get(`${definition} ${account}`) ?? 0n
  }

  pay(definition: string, from: string, to: string, amount: bigint): void {
    if (amount <= 0n) refuse('bad_amount')
    const [source, target] = [`${definition} ${from}`, `${definition} ${to}`]
    if (this.frozen.has(source)) refuse('asset_frozen')
    if (this.blacklisted.has(source) || this.blacklisted.has(target)) refuse('asset_blacklisted')
    if (this.isCapped(source, amount)) refuse('transfer_limit')
    if (this.balance(definition, from) < amount) refuse('not_enough')
    const counted = this.caps.get(source)
    if (counted !== undefined) this.caps.set(source, { ...counted, ...this.spent(counted, amount) })
    this.balances.set(source, this.balance(definition, from) - amount)
    this.balances.set(target, this.balance(definition, to) + amount)
  }

  /** Amount that a cap counts on the current day, with another payment. */
  private spent({ day, spent }: NaiveCap, amount: bigint): Pick<NaiveCap, 'day' | 'spent'> {
    const today = Math.floor(this.nowMs / DAY_MS)
    return { day: today, spent: (day === today ? spent : 0n) + amount }
  }
  /** True if a payment exceeds the cap of a balance. */
  private isCapped(source: string, amount: bigint): boolean {
    const cap = this.caps.get(source)
    return cap !== undefined && this.spent(cap, amount).spent > cap.most
  }

  /** Set, change or remove the cap of a balance. */
  cap(definition: string, account: string, most: bigint | undefined): void {
    const at = `${definition} ${account}`
    if (most === undefined) this.caps.delete(at)
    else this.caps.set(at, { day: 0, spent: 0n, ...this.caps.get(at), most })
  }

  burn(definition: string, account: string, amount: bigint): string | undefined {
    if (this.balance(definition, account) < amount) return 'not_enough'
    this.balances.set(`${definition} ${account}`, this.balance(definition, account) - amount)
    return undefined
  }

  post(poster: string, definition: string, over: bigint, under: bigint): string | undefined {
    if (over <= 0n) return 'bad_amount'
    this.prices.set(`${poster} ${definition}`, { over, under, atMs: this.nowMs })
    return undefined
  }

  private found(reference: string, ...meant: readonly Status[]): NaiveRepo {
    const repo = this.repos.get(reference)
    if (repo === undefined) return refuse('absent')
    if (!meant.includes(repo.status)) refuse('repo_state')
    return repo
  }

  private price({ terms }: NaiveRepo, definition: string): NaivePrice {
    const fresh = terms.posters
      .flatMap((poster) => this.prices.get(`${poster} ${definition}`) ?? [])
      .filter(({ atMs }) => this.nowMs - atMs <= terms.maxAgeMs)
      .sort((a, b) => (a.over * b.under < b.over * a.under ? -1 : 1))
    return fresh[Math.floor((fresh.length - 1) / 2)] ?? refuse('price_stale')
  }

  /** Whole days since the start of the purchase date. */
  private days({ opensMs }: NaiveRepo): number {
    return Math.max(0, Math.floor((this.nowMs - opensMs) / DAY_MS))
  }
  private maturityMs({ opensMs, terms }: NaiveRepo): number {
    return opensMs + between(terms.purchase, terms.repurchase) * DAY_MS
  }

  /** Current repurchase price. */
  owed(repo: NaiveRepo): bigint {
    const { cash, ratePpm, basis } = repo.terms
    const interest = nearest(cash * ratePpm * BigInt(this.days(repo)), 1_000_000n * basis)
    return cash + interest < 0n ? 0n : cash + interest
  }
  value(repo: NaiveRepo): bigint {
    let sum = repo.margin
    for (const [definition, amount] of repo.items) {
      const { over, under } = this.price(repo, definition)
      const haircut = repo.terms.eligible[definition] ?? 0n
      sum += down(amount * over * (1_000_000n - haircut), under * 1_000_000n)
    }
    return sum
  }
  private isExposed(repo: NaiveRepo): boolean {
    const exposure = this.owed(repo) - this.value(repo)
    return exposure > repo.terms.threshold && exposure >= repo.terms.minimum && exposure > 0n
  }

  propose(by: string, reference: string, sides: NaiveSides, terms: NaiveTerms): string | undefined {
    return this.try(() => {
      if (this.repos.has(reference)) refuse('exists')
      if (by !== sides.seller && by !== sides.buyer) refuse('not_permitted')
      const { calendar } = this
      const today = businessDateAt(calendar, this.nowMs)
      const names = terms.collateral.map(({ definition }) => definition)
      const isGood =
        new Set([sides.seller, sides.buyer, sides.custodian]).size === 3 &&
        terms.cash > 0n &&
        names.length >= 1 &&
        names.length <= 8 &&
        new Set(names).size === names.length &&
        terms.collateral.every(({ definition, amount }) => amount > 0n && definition in terms.eligible) &&
        Object.entries(terms.eligible).every(([id, haircut]) => id !== this.cash && haircut < 1_000_000n) &&
        isBusinessDay(calendar, terms.purchase) &&
        isBusinessDay(calendar, terms.repurchase) &&
        terms.purchase >= today &&
        terms.purchase <= ahead(calendar, today, 10) &&
        terms.repurchase > terms.purchase
      if (!isGood) refuse('bad_terms')
      this.repos.set(reference, {
        ...sides,
        reference,
        terms,
        proposedMs: this.nowMs,
        opensMs: startMs(calendar, terms.purchase),
        consents: [by],
        status: 'proposed',
        items: new Map(),
        margin: 0n,
        callDueMs: undefined,
        early: undefined,
        cause: undefined,
        shortfall: 0n,
        runMs: undefined,
      })
    })
  }

  withdraw(by: string, reference: string): string | undefined {
    return this.try(() => {
      const repo = this.found(reference, 'proposed', 'waiting')
      if (by !== repo.seller && by !== repo.buyer) refuse('not_permitted')
      this.close(repo, 'withdrawn')
    })
  }

  consent(by: string, reference: string, isSame: boolean): string | undefined {
    return this.try(() => {
      const repo = this.found(reference, 'proposed')
      const isOver = this.nowMs >= repo.opensMs + DAY_MS
      if (isOver || this.nowMs >= repo.proposedMs + 7 * DAY_MS) refuse('repo_state')
      const parties = [repo.seller, repo.buyer, ...(repo.custodian === undefined ? [] : [repo.custodian])]
      if (!parties.includes(by)) refuse('not_permitted')
      if (repo.consents.includes(by)) refuse('exists')
      if (!isSame) refuse('terms_changed')
      repo.consents = [...repo.consents, by]
      if (repo.consents.length < parties.length) return
      if (this.nowMs < repo.opensMs) {
        repo.status = 'waiting'
        repo.runMs = repo.opensMs
      } else this.open(repo)
    })
  }

  private open(repo: NaiveRepo): void {
    const { reference, seller, buyer, terms } = repo
    for (const { definition, amount } of terms.collateral) {
      this.pay(definition, seller, `vault ${reference}`, amount)
      repo.items.set(definition, amount)
    }
    this.pay(this.cash, buyer, seller, terms.cash)
    repo.status = 'open'
    repo.runMs = this.maturityMs(repo)
  }

  /** Execute the due run of an agreement. */
  run(reference: string): void {
    const repo = this.repos.get(reference)
    if (repo?.runMs === undefined || this.nowMs < repo.runMs) throw new Error(`${reference} has no run that is due`)
    repo.runMs = undefined
    if (repo.status === 'waiting') {
      const isOver = this.nowMs >= repo.opensMs + DAY_MS
      const failed = this.try(() => (isOver ? refuse('repo_state') : this.open(this.found(reference, 'waiting'))))
      if (failed !== undefined) this.close(this.found(reference, 'waiting'), 'unfunded')
      return
    }
    const failed = this.try(() => this.repay(this.found(reference, 'open', 'late')))
    if (failed === undefined) return
    const late = this.found(reference, 'open', 'late')
    late.status = 'late'
    const endMs = this.maturityMs(late) + late.terms.graceMs
    late.runMs = this.nowMs < endMs ? Math.min(this.nowMs + HOUR_MS, endMs) : undefined
  }

  call(by: string, reference: string): string | undefined {
    return this.try(() => {
      const repo = this.found(reference, 'open')
      if (by !== repo.buyer && by !== repo.custodian) refuse('not_permitted')
      if (!this.isExposed(repo)) refuse('no_exposure')
      const today = plus(repo.terms.purchase, this.days(repo))
      const due = ahead(this.calendar, today, repo.terms.marginDays)
      const dueMs = repo.opensMs + (between(repo.terms.purchase, due) + 1) * DAY_MS
      repo.callDueMs = by === repo.buyer ? dueMs : (repo.callDueMs ?? dueMs)
    })
  }

  meet(by: string, reference: string, items: readonly NaiveItem[], cash: bigint): string | undefined {
    return this.try(() => {
      const repo = this.found(reference, 'open', 'late')
      if (by !== repo.seller) refuse('not_permitted')
      if (new Set(items.map(({ definition }) => definition)).size < items.length) refuse('bad_terms')
      for (const { definition, amount } of items) {
        if (!(definition in repo.terms.eligible)) refuse('bad_terms')
        this.pay(definition, repo.seller, `vault ${reference}`, amount)
        repo.items.set(definition, (repo.items.get(definition) ?? 0n) + amount)
      }
      if (cash > 0n) this.pay(this.cash, repo.seller, `vault ${reference}`, cash)
      repo.margin += cash
      if (this.value(repo) < this.owed(repo)) refuse('margin_short')
      repo.callDueMs = undefined
    })
  }

  take(by: string, reference: string, items: readonly NaiveItem[], cash: bigint): string | undefined {
    return this.try(() => {
      const repo = this.found(reference, 'open')
      if (by !== repo.seller) refuse('not_permitted')
      if (items.length === 0 && cash === 0n) refuse('bad_terms')
      if (new Set(items.map(({ definition }) => definition)).size < items.length) refuse('bad_terms')
      for (const { definition, amount } of items) {
        const held = repo.items.get(definition) ?? refuse('bad_terms')
        if (amount > held) refuse('not_enough')
        this.pay(definition, `vault ${reference}`, repo.seller, amount)
        if (amount === held) repo.items.delete(definition)
        else repo.items.set(definition, held - amount)
      }
      if (cash > repo.margin) refuse('not_enough')
      if (cash > 0n) this.pay(this.cash, `vault ${reference}`, repo.seller, cash)
      repo.margin -= cash
      if (this.value(repo) < this.owed(repo)) refuse('margin_short')
      repo.callDueMs = undefined
    })
  }

  repurchase(by: string, reference: string): string | undefined {
    return this.try(() => {
      const repo = this.found(reference, 'open', 'late')
      const isDue = this.nowMs >= this.maturityMs(repo)
      const isParty = by === repo.seller || by === repo.buyer
      if (!isDue && !isParty) refuse('not_permitted')
      if (isDue) return this.repay(repo)
      const day = this.days(repo)
      const { early } = repo
      if (early?.day === day && early.by === by) refuse('exists')
      if (early?.day === day) return this.repay(repo)
      repo.early = { by, day }
    })
  }

  /** Pay the debt, from the margin first, and return the collateral. */
  private repay(repo: NaiveRepo): void {
    const { reference, seller, buyer } = repo
    const vault = `vault ${reference}`
    const owed = this.owed(repo)
    const ofMargin = owed < repo.margin ? owed : repo.margin
    if (ofMargin > 0n) this.pay(this.cash, vault, buyer, ofMargin)
    if (owed > ofMargin) this.pay(this.cash, seller, buyer, owed - ofMargin)
    if (repo.margin > ofMargin) this.pay(this.cash, vault, seller, repo.margin - ofMargin)
    for (const [definition, amount] of repo.items) this.pay(definition, vault, seller, amount)
    this.close(repo, 'repurchased')
  }

  default(by: string, reference: string): string | undefined {
    return this.try(() => {
      const repo = this.found(reference, 'open', 'late')
      if (by !== repo.buyer) refuse('not_permitted')
      const cause = this.lacksCash(repo)
        ? 'repurchaseUnpaid'
        : repo.callDueMs !== undefined && this.nowMs >= repo.callDueMs && this.isExposed(repo)
          ? 'marginUnpaid'
          : refuse('not_in_default')
      repo.status = 'defaulted'
      repo.cause = cause
      repo.runMs = undefined
    })
  }

  /** True if the grace is over and the seller currently lacks the cash. */
  private lacksCash(repo: NaiveRepo): boolean {
    if (this.nowMs < this.maturityMs(repo) + repo.terms.graceMs) return false
    const owed = this.owed(repo)
    if (owed <= repo.margin) return false
    const { seller, buyer } = repo
    const isStopped =
      this.frozen.has(`${this.cash} ${seller}`) ||
      [seller, buyer].some((one) => this.blacklisted.has(`${this.cash} ${one}`))
    const due = owed - repo.margin
    return !isStopped && !this.isCapped(`${this.cash} ${seller}`, due) && this.balance(this.cash, seller) < due
  }

  closeOut(by: string, reference: string): string | undefined {
    return this.try(() => {
      const repo = this.found(reference, 'defaulted')
      if (by !== repo.buyer) refuse('not_permitted')
      const { seller, buyer } = repo
      const vault = `vault ${reference}`
      let rest = this.owed(repo)
      const ofMargin = rest < repo.margin ? rest : repo.margin
      if (ofMargin > 0n) this.pay(this.cash, vault, buyer, ofMargin)
      if (repo.margin > ofMargin) this.pay(this.cash, vault, seller, repo.margin - ofMargin)
      rest -= ofMargin
      for (const [definition, amount] of repo.items) {
        const { over, under } = rest > 0n ? this.price(repo, definition) : { over: 1n, under: 1n }
        const least = up(rest * under, over)
        const taken = least < amount ? least : amount
        rest = least <= amount ? 0n : rest - down(amount * over, under)
        if (taken > 0n) this.pay(definition, vault, buyer, taken)
        if (taken < amount) this.pay(definition, vault, seller, amount - taken)
      }
      repo.shortfall = rest
      this.close(repo, 'closedOut')
    })
  }

  private close(repo: NaiveRepo, cause: string): void {
    repo.status = 'closed'
    repo.cause = cause
    repo.items = new Map()
    repo.margin = 0n
    repo.runMs = undefined
  }
}
