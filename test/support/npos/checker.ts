/**
 * Owns the checker of epochs: the permitted effects of each block on elections, seeds, seats, slashes and rewards,
 * computed independently.
 */
import { faultBudget } from '../../../src/consensus/index.js'
import { nextSeed, placeOf, type Windows } from '../../../src/consensus/npos/index.js'
import type { BlockRun } from '../../../src/executor/index.js'
import { rosterAt } from '../../../src/executor/rosters.js'
import { snapshotCandidatesOf } from '../../../src/features/staking/ledger/elections/snapshot.js'
import { elections, exposurePages } from '../../../src/features/staking/ledger/elections/tables.js'
import { calendarOf } from '../../../src/features/staking/ledger/epochs/calendar.js'
import { type Calendar, epochs, randomness, terms } from '../../../src/features/staking/ledger/epochs/tables.js'
import { rewards } from '../../../src/features/staking/ledger/rewards/tables.js'
import { slashes } from '../../../src/features/staking/ledger/slashing/tables.js'
import { listedCandidates, listedVoters } from '../../../src/features/staking/ledger/validators/lists.js'
import { validators } from '../../../src/features/staking/ledger/validators/tables.js'
import type { AccountId } from '../../../src/model/index.js'
import { eventsOf } from '../blocks.js'
import type { NposChain } from './chain.js'
import { units } from './model.js'
import { rationalElection } from './rational.js'

/** Maximum share of one fault by itself, in bps. */
const BASE_MAX_BPS = 500

/**
 * Last positions of the commitments, of the reveals, and of the record: the page's table, counted from its other end.
 */
const lastCommit = ({ commit }: Windows): number => commit - 1
const lastReveal = ({ commit, election, reveal }: Windows): number => commit + election + reveal
const recordPlace = (windows: Windows): number => lastReveal(windows) + 2

/** Observations at the time of a snapshot. */
interface Seen {
  readonly height: number
  /** Ids in the order of the election; undefined: too few. */
  readonly elected: readonly string[] | undefined
}

export class EpochChecker {
  private before: Calendar | undefined
  private seen: Seen | undefined
  private revealsAtSeed = 0
  private planned: { readonly height: number; readonly keys: string } | undefined
  private readonly records = new Map<number, string>()
  private readonly paid = new Set<string>()
  private readonly paidSums = new Map<string, bigint>()

  constructor(private readonly chain: NposChain) {}

  /** Fault of the last block; undefined if it is valid. */
  look(run: BlockRun): string | undefined {
    const calendar = calendarOf(this.chain.state)
    const fault = this.rosterFault() ?? this.slashFault(run) ?? this.payFault(run)
    const epochFault = fault ?? (calendar && this.calendarFault(calendar))
    this.before = calendar
    return epochFault
  }

  /** The roster of a height is known two heights before. */
  private rosterFault(): string | undefined {
    const { state, height } = this.chain
    const keys = (at: number): string => JSON.stringify([rosterAt(state, at)?.epoch, rosterAt(state, at)?.roster])
    const { planned } = this
    this.planned = { height: height + 2, keys: keys(height + 2) }
    return planned?.height === height + 1 && planned.keys !== keys(height + 1)
      ? `who votes at ${height + 1} was fixed by ${height}, not by ${height - 1}`
      : undefined
  }

  private calendarFault(calendar: Calendar): string | undefined {
    const { state, height } = this.chain
    const { epoch, start, windows, snapshot, nextSeed: seed, nextStart } = calendar
    const isSame = this.before?.epoch === epoch
    const q = placeOf(height, start, windows)
    const drawn = state.get(randomness, epoch)
    if (calendar.isElected && snapshot !== undefined && (!isSame || this.before?.snapshot === undefined)) {
      this.seen = { height, elected: this.expected(calendar) }
      if (q <= lastCommit(windows)) return 'a snapshot while commitments are made'
      if ((drawn?.reveals.length ?? 0) > 0) return 'a snapshot after reveals'
      const fault = this.jailFault(calendar)
      if (fault) return fault
    }
    if (calendar.isElected && seed !== undefined) {
      const count = drawn?.reveals.length ?? 0
      if (!isSame || this.before?.nextSeed === undefined) {
        this.revealsAtSeed = count
        if (q <= lastReveal(windows)) return 'a seed before the reveals are over'
        const base = state.get(epochs, epoch)?.seed
        const naive = base && nextSeed(this.chain.chainHash, epoch + 1, base, drawn?.reveals ?? [])
        if (naive === undefined || !Buffer.from(naive).equals(seed.seed)) return 'another seed than the reveals give'
        const members = state.get(epochs, epoch)?.seats.length ?? 0
        if (seed.weak !== count <= faultBudget(members)) return `a seed of ${count} reveals is weak: ${seed.weak}`
      } else if (count !== this.revealsAtSeed) return 'a reveal after the seed'
    }
    if (nextStart !== undefined && this.before?.nextStart === undefined && calendar.isElected) {
      if (nextStart !== height + 2) return `a record at ${height} begins at ${nextStart}`
      if (q < recordPlace(windows) && state.get(epochs, epoch + 1)?.seats.length !== 0) return 'a record too early'
      return this.seatsFault(calendar)
    }
    return this.unchangedFault(epoch)
  }

  /** Election of the snapshot by exact fractions, over the current lists. */
  private expected(calendar: Calendar): readonly string[] | undefined {
    const { state } = this.chain
    const { snapshot } = calendar
    if (snapshot === undefined) return undefined
    const standing = new Set(
      snapshotCandidatesOf(state, snapshot)
        .filter(({ refused }) => refused === undefined)
        .map(({ account }) => account),
    )
    const candidates = [...listedCandidates(state)].flatMap(([, { account, bonded }]) => {
      const row = state.get(validators, account)
      if (row === undefined || !standing.has(account)) return []
      const { registeredHeight, entity } = row
      return [{ id: account, bonded: units(bonded), registeredHeight, entity }]
    })
    const voters = [...listedVoters(state)].map(([, { account, bonded, targets, nominatedHeight }]) => ({
      id: account,
      bonded: units(bonded),
      targets: targets.filter((one) => (state.get(validators, one)?.registeredHeight ?? 0) <= nominatedHeight),
    }))
    return rationalElection(candidates, voters, snapshot.rules)?.elected
  }

  /** At most f members are jailed at a snapshot, each for its own fault. */
  private jailFault({ epoch }: Calendar): string | undefined {
    const { state, height } = this.chain
    const seats = state.get(epochs, epoch)?.seats ?? []
    const jailed = seats.filter(({ validator }) => {
      const status = state.get(validators, validator)?.status
      return status?.kind === 'jailed' && status.value.since === height && status.value.reason !== 'fault'
    })
    return jailed.length > faultBudget(seats.length) ? `${jailed.length} members are jailed at once` : undefined
  }

  /** Seats of a record: those of the election, or of the kept roster, without at most f that proved faulty. */
  private seatsFault({ epoch, term, snapshot }: Calendar): string | undefined {
    const { state } = this.chain
    const record = state.get(epochs, epoch + 1)
    const current = state.get(epochs, epoch)
    if (record === undefined || record.seats.length === 0 || current === undefined) return undefined
    this.records.set(epoch + 1, JSON.stringify(record))
    const election = state.get(elections, epoch + 1)
    const isKept = snapshot?.isKept === true
    if (record.term !== term + (isKept ? 0 : 1)) return `epoch ${epoch + 1} has the term ${record.term}`
    const elected = isKept
      ? current.seats.map(({ validator }) => validator)
      : (election?.elected ?? []).map(({ validator }) => validator)
    if (!isKept && this.seen !== undefined) {
      if (election?.snapshotHeight !== this.seen.height) return 'an election of another snapshot'
      if (JSON.stringify(this.seen.elected) !== JSON.stringify(elected))
        return 'others are elected than exact fractions'
    }
    const seats = record.seats.map(({ validator }) => validator)
    const strange = seats.find((one) => !elected.includes(one))
    if (strange !== undefined) return 'a seat of somebody who was not elected'
    const faulty = elected.filter((one) => {
      const status = state.get(validators, one)?.status
      return status?.kind === 'jailed' && status.value.reason === 'fault'
    })
    const budget = faultBudget(elected.length)
    const left = seats.filter((one) => faulty.includes(one)).length
    if (left > Math.max(0, faulty.length - budget)) return 'a seat of somebody who proved faulty'
    return undefined
  }

  /** Records are immutable. */
  private unchangedFault(epoch: number): string | undefined {
    for (const [number, text] of this.records) {
      if (number < epoch) this.records.delete(number)
      else if (JSON.stringify(this.chain.state.get(epochs, number)) !== text)
        return `the record of epoch ${number} changed`
    }
    return undefined
  }

  /** A slash charges the stakes of the seat in its term; of several faults the highest one counts. */
  private slashFault(run: BlockRun): string | undefined {
    const { state } = this.chain
    const isBehind = (validator: AccountId, term: number, account: AccountId): boolean => {
      if (account === validator) return true
      for (let page = 0; ; page += 1) {
        const entries = state.get(exposurePages, { term, validator, page })
        if (entries === undefined) return false
        if (entries.some(({ nominator }) => nominator === account)) return true
      }
    }
    for (const { slash, account } of eventsOf(run, 'stakeSlashed')) {
      const row = state.get(slashes, slash as number)
      if (row === undefined || !isBehind(row.validator, row.term, account as string)) {
        return 'a slash of somebody who did not stand behind the seat'
      }
    }
    for (const { id, status } of eventsOf(run, 'stakingSlashChanged')) {
      if ((status as { kind: string }).kind !== 'executed') continue
      const row = state.get(slashes, id as number)
      if (row === undefined) continue
      const { offenders = [], members = 1 } = state.get(terms, row.term) ?? {}
      const together = Math.floor((90_000 * Math.max(0, offenders.length - 1) ** 2) / members ** 2)
      let sum = 0
      for (let other = 1; other <= row.id; other += 1) {
        const one = state.get(slashes, other)
        if (one?.validator === row.validator && one.term === row.term && one.status.kind === 'executed') sum += one.bps
      }
      // There may have been more offenders before a slash of one of them was cancelled.
      const most = Math.max(BASE_MAX_BPS, together)
      if (sum > Math.min(10_000, most) && !this.hasCancelled(row.term)) return `${sum} bps are taken, ${most} at most`
    }
    return undefined
  }

  private hasCancelled(term: number): boolean {
    const { state } = this.chain
    for (let id = 1; ; id += 1) {
      const row = state.get(slashes, id)
      if (row === undefined) return false
      if (row.term === term && row.status.kind === 'cancelled') return true
    }
  }

  /** No payee is paid twice, payments never exceed the earnings of a seat, and seats that withheld earn nothing. */
  private payFault(run: BlockRun): string | undefined {
    const { state } = this.chain
    for (const { account, validator, epoch, amount } of eventsOf(run, 'stakingRewardPaid')) {
      const once = `${epoch}:${validator}:${account}`
      if (this.paid.has(once)) return 'somebody is paid twice'
      this.paid.add(once)
      const seat = `${epoch}:${validator}`
      const sum = (this.paidSums.get(seat) ?? 0n) + units(amount as Parameters<typeof units>[0])
      this.paidSums.set(seat, sum)
      const earned = state.get(rewards, { epoch: epoch as number, validator: validator as string })?.amount
      if (sum > units(earned)) return 'more is paid than the seat earned'
    }
    for (const { epoch } of eventsOf(run, 'stakingRewardsEarned')) {
      const { commits = [], reveals = [] } = state.get(randomness, epoch as number) ?? {}
      for (const { validator } of commits) {
        const hasRevealed = reveals.some((one) => one.validator === validator)
        if (!hasRevealed && state.get(rewards, { epoch: epoch as number, validator }) !== undefined) {
          return 'a member that withheld its reveal earned something'
        }
      }
    }
    return undefined
  }
}
