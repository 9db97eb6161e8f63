/**
 * Owns a second implementation of subscriptions, written from their concept page: fractions instead of units, dates of
 * the runtime instead of day numbers, and one list of debts. It shares no code with the ledger.
 */

/** Exact fraction. */
export class Fraction {
  constructor(
    readonly top: bigint,
    readonly bottom: bigint = 1n,
  ) {}
  plus(other: Fraction): Fraction {
    return new Fraction(this.top * other.bottom + other.top * this.bottom, this.bottom * other.bottom)
  }
  minus(other: Fraction): Fraction {
    return this.plus(new Fraction(-other.top, other.bottom))
  }
  times(other: Fraction): Fraction {
    return new Fraction(this.top * other.top, this.bottom * other.bottom)
  }
  isAbove(other: Fraction): boolean {
    return this.top * other.bottom > other.top * this.bottom
  }
  /** Greatest number of cents not above it. */
  down(): bigint {
    const cents = this.top * 100n
    return cents >= 0n ? cents / this.bottom : -((-cents + this.bottom - 1n) / this.bottom)
  }
  /** Least number of cents not below it. */
  up(): bigint {
    const cents = this.top * 100n
    return (cents + this.bottom - 1n) / this.bottom
  }
}
const cents = (amount: bigint): Fraction => new Fraction(amount, 100n)

export interface NaivePlan {
  readonly provider: string
  readonly name: string
  /** Fixed price in cents. */
  readonly fixed?: bigint
  readonly usage?: { readonly price: Fraction; readonly included: bigint }
  readonly every: { readonly day: number; readonly timeMs: number } | { readonly periodMs: number }
  readonly isPostpaid: boolean
  readonly trialMs: number
  readonly retries: readonly number[]
  readonly graceMs: number
  readonly exhausted: 'suspend' | 'cancel'
  readonly meters: readonly string[]
  readonly needsApproval: boolean
}
/** Mandate, in cents. */
export interface NaiveMandate {
  readonly most: bigint
  readonly total?: bigint
  readonly until?: number
}
type Status = 'pending' | 'trialing' | 'active' | 'pastDue' | 'suspended' | 'paused' | 'canceled'

export interface NaiveSubscription {
  plan: NaivePlan
  readonly subscriber: string
  mandate: NaiveMandate
  status: Status
  /** Current or owed period, and its price in cents. */
  from: number
  to: number
  price: bigint
  due: number | undefined
  failures: number
  used: bigint
  sequence: number
  credit: bigint
  endsAtPeriod: boolean
  invoices: { amount: bigint; skipped: number; from: number; to: number }[]
  open: { readonly amount: bigint; readonly code: string; readonly since: number } | undefined
  spent: bigint
}

const MINUTE = 60_000
const fullMinute = (ms: number): number => Math.ceil(ms / MINUTE) * MINUTE

/** Anchor of a month as a date: its last day if the month is shorter. */
function anchorIn(year: number, month: number, { day, timeMs }: { day: number; timeMs: number }): number {
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return Date.UTC(year, month, Math.min(day, last)) + timeMs
}

/** Anchors near a time, in order. */
function anchorsAround(ms: number, every: { day: number; timeMs: number }, months = 2): number[] {
  const at = new Date(ms)
  return Array.from({ length: 2 * months + 1 }, (_, index) =>
    anchorIn(at.getUTCFullYear(), at.getUTCMonth() - months + index, every),
  )
}

/**
 * Period that contains now after an earlier time: its ends, its share of a full period, and the number of earlier
 * periods without a charge.
 */
export function nextPeriod(every: NaivePlan['every'], from: number, now: number) {
  if ('periodMs' in every) {
    let [start, end, skipped] = [from, fullMinute(from) + every.periodMs, 0]
    while (now >= end) [start, end, skipped] = [end, end + every.periodMs, skipped + 1]
    return { from: start, to: end, share: new Fraction(1n), skipped }
  }
  const endOf = (ms: number): number => anchorsAround(ms, every).find((one) => one > ms) ?? Number.NaN
  let [start, end, skipped] = [from, endOf(from), 0]
  while (now >= end) [start, end, skipped] = [end, endOf(end), skipped + 1]
  const before = anchorsAround(start, every).findLast((one) => one <= start) ?? Number.NaN
  return { from: start, to: end, share: new Fraction(BigInt(end - start), BigInt(end - before)), skipped }
}

/** Movement requested from the chain; returns its code if refused. */
export type Pay = (from: string, to: string, amount: bigint) => string | undefined

interface Opening {
  readonly from: number
  readonly to: number
  readonly price: bigint
  readonly skipped: number
}

export class NaiveSubscriptions {
  now = 0
  readonly plans = new Map<string, NaivePlan & { open: boolean }>()
  readonly all = new Map<string, NaiveSubscription>()
  private readonly trials = new Set<string>()

  constructor(private readonly pay: Pay) {}

  createPlan(plan: NaivePlan): string | undefined {
    const key = `${plan.provider}/${plan.name}`
    if (this.plans.has(key)) return 'exists'
    this.plans.set(key, { ...plan, open: true })
    return undefined
  }

  closePlan(by: string, name: string): string | undefined {
    const plan = this.plans.get(`${by}/${name}`)
    if (plan === undefined) return 'absent'
    if (!plan.open) return 'plan_closed'
    plan.open = false
    return undefined
  }

  private usageCents({ plan, used }: NaiveSubscription, quantity = used): bigint {
    if (plan.usage === undefined || quantity <= plan.usage.included) return 0n
    return plan.usage.price.times(new Fraction(quantity - plan.usage.included)).up()
  }

  private opening({ plan }: NaiveSubscription, from = this.now): Opening {
    const { share, ...ends } = nextPeriod(plan.every, from, this.now)
    return { ...ends, price: share.times(cents(plan.fixed ?? 0n)).up() }
  }

  /** Debt or prepaid amount of a subscription if its service ends now. */
  private closing(one: NaiveSubscription): { readonly owed: bigint; readonly back: bigint } {
    const { plan, status, price, from, to } = one
    const usage = this.usageCents(one)
    if (status === 'active') {
      const left = new Fraction(BigInt(Math.max(0, to - this.now)), BigInt(to - from))
      if (!plan.isPostpaid) return { owed: usage, back: left.times(cents(price)).down() }
      return { owed: usage + new Fraction(1n).minus(left).times(cents(price)).up(), back: 0n }
    }
    if (status === 'pastDue' || status === 'suspended')
      return { owed: usage + (plan.isPostpaid ? price : 0n), back: 0n }
    return { owed: 0n, back: 0n }
  }

  /** Charge the debt; returns the code if it fails. */
  private charge(one: NaiveSubscription, owed: bigint): string | undefined {
    const { mandate, plan, subscriber } = one
    const credited = owed < one.credit ? owed : one.credit
    const amount = owed - credited
    const isBeyond =
      amount > mandate.most ||
      (mandate.total !== undefined && one.spent + amount > mandate.total) ||
      (mandate.until !== undefined && this.now >= mandate.until)
    const code = isBeyond ? 'mandate_exceeded' : amount === 0n ? undefined : this.pay(subscriber, plan.provider, amount)
    if (code !== undefined) return code
    one.credit -= credited
    one.spent += amount
    one.used = 0n
    one.failures = 0
    one.open = undefined
    return undefined
  }

  private billed(
    one: NaiveSubscription,
    owed: bigint,
    ends: { from: number; to: number; skipped: number },
  ): string | undefined {
    const before = one.spent
    const code = this.charge(one, owed)
    if (code !== undefined) return code
    const { from, to, skipped } = ends
    one.invoices.push({ amount: one.spent - before, skipped, from, to })
    return undefined
  }

  private enter(one: NaiveSubscription, { from, to, price }: Opening): void {
    Object.assign(one, { from, to, price, status: 'active', due: to, failures: 0 })
  }

  /** End the current period, and begin a new one. */
  private renew(one: NaiveSubscription, { owed, back }: { owed: bigint; back: bigint }): string | undefined {
    const opening = this.opening(one)
    const sum = owed + (one.plan.isPostpaid ? 0n : opening.price)
    one.credit += back
    const code =
      sum === 0n
        ? undefined
        : this.billed(one, sum, one.plan.isPostpaid && owed > 0n ? { ...one, skipped: 0 } : opening)
    if (code !== undefined) return code
    Object.assign(one, { used: 0n, open: undefined })
    this.enter(one, opening)
    return undefined
  }

  /** Do work on a copy, which is kept on success. */
  private attempt(id: string, one: NaiveSubscription, work: (copy: NaiveSubscription) => string | undefined) {
    const copy = { ...one, invoices: [...one.invoices] }
    const code = work(copy)
    if (code === undefined) this.all.set(id, copy)
    return code
  }

  private begin(one: NaiveSubscription): string | undefined {
    const { plan, subscriber } = one
    const trial = `${plan.provider} ${subscriber}`
    if (plan.trialMs === 0 || this.trials.has(trial)) return this.renew(one, { owed: 0n, back: 0n })
    this.trials.add(trial)
    const to = this.now + plan.trialMs
    Object.assign(one, { from: this.now, to, price: 0n, status: 'trialing', due: to })
    return undefined
  }

  private tooSmall(plan: NaivePlan, { most, total, until }: NaiveMandate, subscriber: string): boolean {
    const fixed = plan.fixed ?? 0n
    const isTrial = plan.trialMs > 0 && !this.trials.has(`${plan.provider} ${subscriber}`)
    const first = isTrial
      ? this.now + plan.trialMs
      : plan.isPostpaid
        ? nextPeriod(plan.every, this.now, this.now).to
        : this.now
    return most < fixed || (total !== undefined && total < fixed) || (until !== undefined && until <= first)
  }

  subscribe(id: string, subscriber: string, planKey: string, mandate: NaiveMandate): string | undefined {
    const plan = this.plans.get(planKey)
    if (plan === undefined) return 'absent'
    if (this.all.has(id)) return 'exists'
    if (subscriber === plan.provider) return 'self_transfer'
    if (!plan.open) return 'plan_closed'
    if (this.tooSmall(plan, mandate, subscriber)) return 'mandate_too_small'
    const fresh = {
      from: this.now,
      to: this.now,
      price: 0n,
      due: undefined,
      failures: 0,
      used: 0n,
      sequence: 0,
      credit: 0n,
    }
    const one: NaiveSubscription = {
      plan,
      subscriber,
      mandate,
      status: 'pending',
      ...fresh,
      endsAtPeriod: false,
      invoices: [],
      open: undefined,
      spent: 0n,
    }
    return this.attempt(id, one, (copy) => (plan.needsApproval ? undefined : this.begin(copy)))
  }

  /** Subscription, if an account may act on it in its status; else the code. */
  private of(
    id: string,
    by: string,
    parties: readonly ('provider' | 'subscriber' | 'meter')[],
    statuses: readonly Status[],
  ) {
    const one = this.all.get(id)
    if (one === undefined) return 'absent'
    const { plan, subscriber } = one
    const may =
      (parties.includes('provider') && by === plan.provider) ||
      (parties.includes('subscriber') && by === subscriber) ||
      (parties.includes('meter') && plan.meters.includes(by))
    if (!may) return 'not_permitted'
    return statuses.includes(one.status) ? one : 'subscription_state'
  }

  approve(id: string, by: string): string | undefined {
    const one = this.of(id, by, ['provider'], ['pending'])
    return typeof one === 'string' ? one : this.attempt(id, one, (copy) => this.begin(copy))
  }

  pause(id: string, by: string): string | undefined {
    const one = this.of(id, by, ['provider', 'subscriber'], ['active'])
    if (typeof one === 'string') return one
    if (one.endsAtPeriod) return 'subscription_state'
    return this.attempt(id, one, (copy) => {
      const { owed, back } = this.closing(copy)
      copy.credit += back
      const code = owed === 0n ? undefined : this.billed(copy, owed, { ...copy, skipped: 0 })
      Object.assign(copy, { status: 'paused', due: undefined, used: 0n })
      return code
    })
  }

  resume(id: string, by: string): string | undefined {
    const one = this.of(id, by, ['subscriber'], ['paused', 'suspended'])
    if (typeof one === 'string') return one
    return this.attempt(id, one, (copy) => this.renew(copy, this.closing(copy)))
  }

  cancel(id: string, by: string, isNow: boolean): string | undefined {
    const every: readonly Status[] = ['pending', 'trialing', 'active', 'pastDue', 'suspended', 'paused']
    const one = this.of(id, by, ['provider', 'subscriber'], isNow ? every : ['trialing', 'active'])
    if (typeof one === 'string') return one
    if (!isNow) {
      if (one.endsAtPeriod) return 'subscription_state'
      one.endsAtPeriod = true
      return undefined
    }
    const { owed, back } = this.closing(one)
    one.credit += back
    if (owed === 0n) Object.assign(one, { open: undefined, used: 0n })
    else {
      const code = this.billed(one, owed, { ...one, skipped: 0 })
      if (code !== undefined)
        one.open = { amount: owed - (owed < one.credit ? owed : one.credit), code, since: one.open?.since ?? this.now }
    }
    this.finish(one)
    return undefined
  }

  private finish(one: NaiveSubscription): void {
    Object.assign(one, { status: 'canceled', due: undefined, endsAtPeriod: false })
  }

  keep(id: string, by: string): string | undefined {
    const one = this.of(id, by, ['subscriber'], ['trialing', 'active', 'pastDue'])
    if (typeof one === 'string') return one
    if (!one.endsAtPeriod) return 'subscription_state'
    one.endsAtPeriod = false
    return undefined
  }

  change(id: string, by: string, name: string, mandate: NaiveMandate | undefined): string | undefined {
    const one = this.all.get(id)
    const plan = one && this.plans.get(`${one.plan.provider}/${name}`)
    if (one === undefined || plan === undefined) return 'absent'
    if (by !== one.subscriber || plan.needsApproval) return 'not_permitted'
    if (!['trialing', 'active', 'pastDue', 'suspended', 'paused'].includes(one.status)) return 'subscription_state'
    if (!plan.open) return 'plan_closed'
    const bounds = mandate ?? one.mandate
    const fixed = plan.fixed ?? 0n
    if (bounds.most < fixed || (bounds.total !== undefined && bounds.total < fixed)) return 'mandate_too_small'
    if (bounds.until !== undefined && bounds.until <= this.now) return 'mandate_too_small'
    return this.attempt(id, one, (copy) => {
      const closing = this.closing(copy)
      Object.assign(copy, { plan, mandate: bounds, endsAtPeriod: false })
      if (copy.status === 'trialing' || copy.status === 'paused') return undefined
      return this.renew(copy, closing)
    })
  }

  record(id: string, by: string, sequence: number, quantity: bigint): string | undefined {
    const one = this.of(id, by, ['provider', 'meter'], ['trialing', 'active', 'pastDue'])
    if (typeof one === 'string') return one
    if (one.plan.usage === undefined) return 'subscription_state'
    if (sequence <= one.sequence) return 'usage_replayed'
    if (one.status !== 'trialing') {
      const fixed = one.plan.isPostpaid ? one.price : one.endsAtPeriod ? 0n : (one.plan.fixed ?? 0n)
      const owed = fixed + this.usageCents(one, one.used + quantity) - one.credit
      const sum = owed > 0n ? owed : 0n
      if (sum > one.mandate.most) return 'mandate_exceeded'
      if (one.mandate.total !== undefined && one.spent + sum > one.mandate.total) return 'mandate_exceeded'
    }
    one.sequence = sequence
    one.used += quantity
    return undefined
  }

  refund(id: string, by: string, amount: bigint): string | undefined {
    const one = this.of(
      id,
      by,
      ['provider'],
      ['pending', 'trialing', 'active', 'pastDue', 'suspended', 'paused', 'canceled'],
    )
    if (typeof one === 'string') return one
    if (amount > one.credit) return 'not_enough'
    const code = this.pay(one.plan.provider, one.subscriber, amount)
    if (code === undefined) one.credit -= amount
    return code
  }

  /** Charge a due subscription. */
  chargeNow(id: string): string | undefined {
    const one = this.all.get(id)
    if (one === undefined) return 'absent'
    if (one.due === undefined) return 'subscription_state'
    if (this.now < one.due) return 'charge_early'
    const { plan } = one
    if (one.status === 'trialing') {
      one.used = 0n
      if (one.endsAtPeriod) {
        this.finish(one)
        return undefined
      }
    }
    const opening = this.opening(one, one.to)
    const price = plan.isPostpaid ? one.price : one.endsAtPeriod ? 0n : opening.price
    const owed = price + this.usageCents(one)
    const ends = plan.isPostpaid || one.endsAtPeriod ? { from: one.from, to: one.to } : opening
    const code = this.billed(one, owed, { ...ends, skipped: opening.skipped })
    if (code === undefined) {
      if (one.endsAtPeriod) this.finish(one)
      else this.enter(one, opening)
      return undefined
    }
    one.open = { amount: owed - (owed < one.credit ? owed : one.credit), code, since: one.open?.since ?? one.to }
    const delay = plan.retries[one.failures]
    one.failures += 1
    one.status = 'pastDue'
    if (delay !== undefined) one.due = Math.trunc(this.now / MINUTE) * MINUTE + delay
    else if (plan.exhausted === 'cancel' || one.endsAtPeriod) this.finish(one)
    else Object.assign(one, { status: 'suspended', due: undefined })
    return undefined
  }

  isEntitled(id: string): boolean {
    const one = this.all.get(id)
    if (one === undefined) return false
    if (one.status === 'trialing' || one.status === 'active') return true
    return one.status === 'pastDue' && !one.endsAtPeriod && this.now < (one.open?.since ?? 0) + one.plan.graceMs
  }
}
