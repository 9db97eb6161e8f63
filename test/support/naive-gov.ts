/**
 * Owns a naive governance: written from its page alone, on names and integers, with every vote counted from scratch.
 */

export const MINUTE_MS = 60_000
const TENTHS = [1n, 10n, 20n, 30n, 40n, 50n, 60n]
const RETRIES_MS = [MINUTE_MS, 10 * MINUTE_MS]
/** Name of the governance account. */
export const GOVERNANCE = 'governance'

export type NaiveChoice = 'aye' | 'nay' | 'abstain'
/** Effect of an enacted list: it succeeds, it fails, or it enrols a name. */
export type NaiveList = 'good' | 'bad' | `enrol ${string}`

export interface NaiveTrack {
  readonly isAsset: boolean
  readonly early: boolean
  readonly quorum: bigint
  readonly approval: bigint
  readonly deposit: bigint
  readonly minLock: bigint
  readonly leadMs: number
  readonly votingMs: number
  readonly lateMs: number
  readonly timelockMs: number
  readonly graceMs: number
  readonly stepMs: number
  readonly places: number
}

interface HeldBallot {
  readonly choice: NaiveChoice
  readonly amount: bigint
  readonly conviction: number
}
interface NaiveLock {
  amount: bigint
  held: Map<number, HeldBallot>
}
export interface NaiveProposal {
  readonly number: number
  readonly trackId: number
  readonly rules: NaiveTrack
  readonly proposer: string
  readonly list: NaiveList
  readonly base: bigint
  readonly votingFromMs: number
  readonly lastEndMs: number
  readonly ballots: Map<string, NaiveChoice>
  status: string
  endMs: number
  deposit: bigint
  attempts: number
  enactFromMs: number
  enactUntilMs: number
  /** Due time of its next run; undefined: it is closed. */
  dueMs: number | undefined
}

const max = (list: readonly bigint[]): bigint => list.reduce((most, one) => (one > most ? one : most), 0n)

export class NaiveGov {
  nowMs = 0
  readonly members = new Set<string>()
  /** Amounts by definition and name. */
  readonly balances = new Map<string, bigint>()
  readonly locks = new Map<string, NaiveLock>()
  readonly proposals = new Map<number, NaiveProposal>()
  readonly outcomes = new Map<number, { winner: NaiveChoice; endMs: number; stepMs: number }>()
  /** Names excluded from the coin. */
  readonly blacklisted = new Set<string>()

  constructor(
    private readonly tracks: ReadonlyMap<number, NaiveTrack>,
    private readonly vote: string,
    private readonly coin: string,
    private readonly supply: bigint,
  ) {}

  balance(definition: string, name: string): bigint {
    return this.balances.get(`${definition} ${name}`) ?? 0n
  }
  private move(definition: string, name: string, by: bigint): void {
    this.balances.set(`${definition} ${name}`, this.balance(definition, name) + by)
  }
  locked(definition: string, name: string): bigint {
    return this.locks.get(`${definition} ${name}`)?.amount ?? 0n
  }
  private addLock(definition: string, name: string, amount: bigint): void {
    const key = `${definition} ${name}`
    const found = this.locks.get(key) ?? { amount: 0n, held: new Map() }
    found.amount += amount
    this.locks.set(key, found)
  }

  private isClosed({ dueMs }: NaiveProposal): boolean {
    return dueMs === undefined
  }

  /** Counts of all ballots, by weight and by amount. */
  count(p: NaiveProposal) {
    const sums = { aye: 0n, nay: 0n, abstain: 0n }
    const amounts = { aye: 0n, nay: 0n, abstain: 0n }
    if (p.rules.isAsset) {
      for (const [key, { held }] of this.locks) {
        const one = key.startsWith(`${this.vote} `) ? held.get(p.number) : undefined
        if (one === undefined) continue
        sums[one.choice] += one.amount * (TENTHS[one.conviction] ?? 0n)
        amounts[one.choice] += one.amount
      }
    } else {
      for (const [name, choice] of p.ballots) {
        if (!this.members.has(name)) continue
        sums[choice] += 10n
        amounts[choice] += 1n
      }
    }
    return { sums, amounts }
  }

  private hasQuorum(p: NaiveProposal): boolean {
    const { amounts } = this.count(p)
    return (amounts.aye + amounts.abstain) * 10_000n >= p.base * p.rules.quorum
  }
  passes(p: NaiveProposal): boolean {
    const { aye, nay } = this.count(p).sums
    return this.hasQuorum(p) && aye * 10_000n > (aye + nay) * p.rules.approval
  }
  private isEarly(p: NaiveProposal): boolean {
    const now = p.rules.isAsset ? this.supply : BigInt(this.members.size)
    const all = max([p.base, now]) * (p.rules.isAsset ? 60n : 10n)
    return p.rules.early && this.hasQuorum(p) && this.count(p).sums.aye * 10_000n > all * p.rules.approval
  }

  private freeMs(number: number, { choice, conviction }: HeldBallot): number | undefined {
    const outcome = this.outcomes.get(number)
    if (outcome !== undefined)
      return conviction > 0 && outcome.winner === choice ? outcome.endMs + outcome.stepMs * 2 ** (conviction - 1) : 0
    const status = this.proposals.get(number)?.status
    return status === 'lead' || status === 'voting' ? undefined : 0
  }
  /** Ballots of a lock that currently hold their amounts. */
  private kept({ held }: NaiveLock): [number, HeldBallot][] {
    return [...held].filter(([number, one]) => {
      const freeMs = this.freeMs(number, one)
      return freeMs === undefined || freeMs > this.nowMs
    })
  }

  lock(by: string, amount: bigint): string | undefined {
    if (amount <= 0n) return 'bad_amount'
    if (this.balance(this.vote, by) < amount) return 'not_enough'
    this.move(this.vote, by, -amount)
    this.addLock(this.vote, by, amount)
    return undefined
  }

  unlock(by: string, definition: string, amount: bigint | undefined): string | undefined {
    const key = `${definition} ${by}`
    const lock = this.locks.get(key)
    if (lock === undefined) return 'absent'
    const kept = this.kept(lock)
    const free = lock.amount - max(kept.map(([, one]) => one.amount))
    const wanted = amount ?? (free === 0n ? lock.amount : free)
    if (wanted <= 0n) return 'bad_amount'
    if (wanted > lock.amount) return 'not_enough'
    if (wanted > free) return 'lock_held'
    if (definition === this.coin && this.blacklisted.has(by)) return 'asset_blacklisted'
    lock.amount -= wanted
    lock.held = new Map(kept)
    if (lock.amount === 0n) this.locks.delete(key)
    this.move(definition, by, wanted)
    return undefined
  }

  transfer(by: string, to: string, amount: bigint): string | undefined {
    if (this.blacklisted.has(by) || this.blacklisted.has(to)) return 'asset_blacklisted'
    if (this.balance(this.coin, by) < amount) return 'not_enough'
    this.move(this.coin, by, -amount)
    this.move(this.coin, to, amount)
    return undefined
  }

  layDown(by: string): string | undefined {
    if (!this.members.has(by)) return 'absent'
    if (this.members.size === 1) return 'sealed_role'
    this.members.delete(by)
    return undefined
  }

  submit(by: string, trackId: number, list: NaiveList): string | undefined {
    const rules = this.tracks.get(trackId)
    if (rules === undefined) return 'absent'
    const lock = this.locks.get(`${this.vote} ${by}`)
    if (rules.isAsset ? lock === undefined : !this.members.has(by)) return 'not_elector'
    if (rules.isAsset && lock !== undefined && lock.amount < rules.minLock) return 'lock_too_small'
    if (trackId !== 0 && list.startsWith('enrol')) return 'track_scope'
    const open = [...this.proposals.values()].filter((one) => !this.isClosed(one))
    if (open.filter(({ proposer }) => proposer === by).length >= 2) return 'too_many_proposals'
    const inTrack = open.filter((one) => one.trackId === trackId).length
    if (inTrack >= rules.places) return 'too_many_proposals'
    const deposit = rules.deposit * 2n ** BigInt(Math.max(0, inTrack - 3))
    if (deposit > 0n) {
      if (this.blacklisted.has(by)) return 'asset_blacklisted'
      if (this.balance(this.coin, by) < deposit) return 'not_enough'
      this.move(this.coin, by, -deposit)
    }
    const number = this.proposals.size + 1
    const votingFromMs = this.nowMs + rules.leadMs
    const endMs = votingFromMs + rules.votingMs
    this.proposals.set(number, {
      number,
      trackId,
      rules,
      proposer: by,
      list,
      votingFromMs,
      endMs,
      deposit,
      base: rules.isAsset ? this.supply : BigInt(this.members.size),
      ballots: new Map(),
      lastEndMs: endMs + rules.votingMs,
      status: rules.leadMs === 0 ? 'voting' : 'lead',
      attempts: 0,
      enactFromMs: 0,
      enactUntilMs: 0,
      dueMs: rules.leadMs === 0 ? endMs : votingFromMs,
    })
    return undefined
  }

  /** A proposal is voted on once its lead has ended. */
  private voting(number: number): NaiveProposal | undefined {
    const p = this.proposals.get(number)
    if (p?.status === 'lead' && this.nowMs >= p.votingFromMs) {
      p.status = 'voting'
      p.dueMs = p.endMs
    }
    return p
  }

  cast(
    by: string,
    number: number,
    choice: NaiveChoice,
    more: { amount?: bigint; conviction: number; isWrong: boolean },
  ) {
    const { conviction, isWrong } = more
    const p = this.voting(number)
    if (p === undefined) return 'absent'
    const lock = this.locks.get(`${this.vote} ${by}`)
    if (p.rules.isAsset ? lock === undefined : !this.members.has(by)) return 'not_elector'
    if (p.status !== 'voting' || this.nowMs >= p.endMs) return 'not_voting'
    if (isWrong) return 'wrong_digest'
    const before = this.passes(p)
    if (p.rules.isAsset && lock !== undefined) {
      const amount = more.amount ?? lock.amount
      if (amount > lock.amount) return 'lock_too_small'
      lock.held.set(number, { choice, amount, conviction })
    } else {
      if (more.amount !== undefined || conviction !== 0) return 'bad_parameter'
      p.ballots.set(by, choice)
    }
    if (before !== this.passes(p) && this.nowMs >= p.endMs - p.rules.lateMs)
      p.endMs = Math.max(p.endMs, Math.min(this.nowMs + p.rules.lateMs, p.lastEndMs))
    p.dueMs = this.isEarly(p) ? this.nowMs : p.endMs
    return undefined
  }

  private payDeposit(p: NaiveProposal, isForfeit: boolean): void {
    const to = isForfeit ? GOVERNANCE : p.proposer
    if (p.deposit > 0n && this.blacklisted.has(to)) this.addLock(this.coin, to, p.deposit)
    else this.move(this.coin, to, p.deposit)
    p.deposit = 0n
  }

  private close(p: NaiveProposal, status: string): void {
    p.status = status
    p.dueMs = undefined
  }

  private endVote(p: NaiveProposal): boolean {
    const isOver = this.nowMs >= p.endMs
    if (!isOver && !this.isEarly(p)) return false
    if (!isOver) p.endMs = this.nowMs
    const { aye, nay } = this.count(p).sums
    const isAye = this.passes(p)
    const { stepMs } = p.rules
    this.outcomes.set(p.number, { winner: isAye ? 'aye' : 'nay', endMs: p.endMs, stepMs })
    this.payDeposit(p, aye * 10_000n < (aye + nay) * 500n)
    if (!isAye) {
      this.close(p, 'rejected')
      return true
    }
    p.status = 'approved'
    p.enactFromMs = p.endMs + p.rules.timelockMs
    p.enactUntilMs = Math.max(p.enactFromMs, this.nowMs) + p.rules.graceMs
    p.dueMs = Math.max(p.enactFromMs, this.nowMs)
    return true
  }

  private isExpired(p: NaiveProposal): boolean {
    return p.attempts > 0 && this.nowMs >= p.enactUntilMs
  }

  /** Code with which a list fails, or undefined after its enactment. */
  private attempt(p: NaiveProposal): string | undefined {
    // It pays bob more than governance has.
    if (p.list === 'bad') return this.blacklisted.has('bob') ? 'asset_blacklisted' : 'not_enough'
    const name = p.list.startsWith('enrol ') ? p.list.slice(6) : undefined
    if (name !== undefined && this.members.has(name)) return 'exists'
    if (name !== undefined) this.members.add(name)
    this.close(p, 'enacted')
    return undefined
  }

  /** Makes the step that is due. */
  finalize(number: number): string | undefined {
    const wasLead = this.proposals.get(number)?.status === 'lead'
    const p = this.voting(number)
    if (p === undefined) return 'absent'
    if (p.status === 'voting') return this.endVote(p) || wasLead ? undefined : 'not_due'
    return this.enact(number)
  }

  enact(number: number): string | undefined {
    const p = this.proposals.get(number)
    if (p === undefined) return 'absent'
    if (p.status !== 'approved' || this.nowMs < p.enactFromMs) return 'not_due'
    if (!this.isExpired(p)) return this.attempt(p)
    this.close(p, 'expired')
    return undefined
  }

  withdraw(by: string, number: number): string | undefined {
    const p = this.proposals.get(number)
    if (p === undefined) return 'absent'
    if (p.proposer !== by) return 'not_permitted'
    if (p.status !== 'lead' || this.nowMs >= p.votingFromMs) return 'not_voting'
    this.payDeposit(p, false)
    this.close(p, 'withdrawn')
    return undefined
  }

  cancel(isGovernor: boolean, number: number, isForfeit: boolean): string | undefined {
    const p = this.proposals.get(number)
    if (p === undefined) return 'absent'
    if (!isGovernor) return 'not_permitted'
    if (this.isClosed(p)) return 'not_voting'
    this.payDeposit(p, isForfeit)
    this.close(p, 'cancelled')
    return undefined
  }

  /** Execute the run of a proposal. */
  run(number: number): void {
    const p = this.voting(number)
    if (p === undefined || this.isClosed(p)) return
    if (p.status === 'voting') {
      if (!this.endVote(p)) p.dueMs = p.endMs
      return
    }
    if (p.status !== 'approved') return
    if (this.isExpired(p)) return this.close(p, 'expired')
    if (this.attempt(p) === undefined) return
    const delay = RETRIES_MS[p.attempts]
    p.attempts += 1
    p.dueMs = delay === undefined ? p.enactUntilMs : Math.min(this.nowMs + delay, p.enactUntilMs)
  }
}
