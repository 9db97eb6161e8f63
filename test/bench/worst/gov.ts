/** Owns the inputs about votes: the largest proposals, locks with the maximum ballots, and the ends of votes. */
import { ABI_2 } from '../../../src/features/abi.js'
import { ballots, outcomes, type Referendum } from '../../../src/features/gov/ledger/tables.js'
import { type Elector, HELD_MAX, PLACES_MAX, type Track } from '../../../src/features/gov/schema/records.js'
import type { AccountId, Instruction } from '../../../src/model/index.js'
import * as core from '../../support/core.js'
import type { Bench } from '../../support/executor.js'
import { act, cancelProposal, enact, finalize, GOV, lock, setParameter, submit, unlock } from '../../support/gov.js'
import * as world from './gov-world.js'
import { deep, named, owner, repeat, shredded, type WorstCase } from './inputs.js'

const abi = ABI_2
const { BALLOT, BY_BALLOT, BY_PEERS, ELECTORS, HOLDERS, LATER_MS, PEERS, proposerOf } = world
/** Closings and enactments per block, or fewer if they are large; and small transactions. */
const COUNT = 8
const FEW = 2
const MANY = 32
const LONG_MS = 1_000_000
const GOVERNANCE = { kind: 'account', value: GOV } as const

/** Vote whose result each ballot of the last elector changes, near its end. */
const close: Partial<Track> = { approvalBps: 9_000, votingMs: LONG_MS, lateMs: LONG_MS / 2 }
const asset = world.wide({ electorate: BY_BALLOT, minLock: core.units(10n ** 100n), early: false, votingMs: LONG_MS })
const holderOf = (index: number): AccountId => HOLDERS[index] ?? owner

/** Submissions of large lists, two by each account. */
const submissions = (list: (index: number) => readonly Instruction[], count: number): WorstCase => ({
  abi,
  by: proposerOf,
  timeMs: LATER_MS,
  prepare: (bench) => {
    world.founded(world.wide())(bench)
    world.fill(bench, PLACES_MAX)
  },
  transactions: () => repeat(count, (index) => [submit(0, list(index))]),
})
const stored = (json: Parameters<typeof core.setKey>[2]) => ['k', 'l'].map((key) => core.setKey(GOVERNANCE, key, json))
/** Nested triggers, at maximum depth, in the maximum number of 64 instructions. */
const nested = (depth: number, name: string): Instruction =>
  depth === 0 ? core.log('') : core.registerTrigger(name, GOV, core.BY_CALL, [nested(depth - 1, name), core.log('')])

/** Approved due proposals, each with a list. */
function approved(bench: Bench, list: (index: number) => readonly Instruction[], count: number): void {
  world.founded()(bench)
  bench.genesis(owner, core.permission('grant', 'CanSetParameters', undefined, GOV))
  world.closedOnes(bench, count)
  for (const index of repeat(count, (at) => at)) {
    const number = world.proposal(bench, 0, list(index))
    world.change(bench, number, { status: 'approved', enactFromMs: 1, enactUntilMs: 10 * LATER_MS })
  }
  world.fill(bench)
}
const enactments = (list: (index: number) => readonly Instruction[], count = FEW): WorstCase => ({
  abi,
  by: owner,
  timeMs: LATER_MS,
  prepare: (bench) => approved(bench, list, count),
  transactions: () => world.after(count).map((number) => [enact(number)]),
})
const parameters = repeat(64, (index) => setParameter('block_time_ms', 20 + index))

/** Locks with the maximum number of ballots, of open votes or of lost closed ones; a further vote. */
const secured =
  (isOpen: boolean) =>
  (bench: Bench): void => {
    world.founded(asset, asset, asset)(bench)
    world.lockAll(bench)
    const numbers = [1, 2].flatMap((id) => repeat(PLACES_MAX, () => world.proposal(bench, id)))
    world.proposal(bench, 3)
    world.secure(bench, numbers)
    if (!isOpen) for (const number of numbers) bench.state.set(outcomes, number, { winner: 'nay', endMs: 1, stepMs: 1 })
    world.fill(bench)
  }
const FURTHER = HELD_MAX + 1

/** Vote that each ballot of the last elector changes: nine in ten of the others approve it. */
function turning(bench: Bench, electors: readonly Elector[], more: Partial<Referendum> = {}): void {
  const number = world.proposal(bench, 1)
  const ayes = Math.floor((electors.length * 9) / 10)
  const cast = electors.map((elector, index) => ({
    elector,
    choice: index < ayes ? ('aye' as const) : ('nay' as const),
  }))
  bench.state.set(ballots, number, cast.slice(0, -1))
  world.change(bench, number, { base: core.units(BigInt(electors.length)), endMs: LATER_MS + 1, ...more })
  world.fill(bench)
}
const turns = (by: AccountId, peer?: string): Pick<WorstCase, 'abi' | 'by' | 'timeMs' | 'transactions'> => ({
  abi,
  by,
  timeMs: LATER_MS,
  transactions: (bench) => repeat(MANY, (index) => [world.vote(bench, 1, index % 2 === 0 ? 'aye' : 'nay', { peer })]),
})

export const GOV_CASES: Readonly<Record<string, WorstCase>> = {
  'gov: proposals of objects with names of their own': submissions((index) => stored(named(15_000, index)), COUNT),
  'gov: proposals of shredded JSON': submissions(() => stored(shredded(15_500)), COUNT),
  'gov: proposals of deep JSON': submissions(() => stored(deep(15_500)), COUNT),
  'gov: proposals of nested lists': submissions(() => repeat(40, (index) => nested(7, `t${index}`)), PLACES_MAX),
  'gov: proposals of 64 parameters': submissions(() => parameters, PLACES_MAX),
  'gov: short proposals': {
    abi,
    by: proposerOf,
    isCommon: true,
    prepare: world.founded(),
    transactions: () => repeat(PLACES_MAX, () => [submit(0)]),
  },
  'gov: ballots of a board': {
    abi,
    by: (index) => ELECTORS[index] ?? owner,
    isCommon: true,
    timeMs: 20,
    prepare: (bench) => {
      world.founded()(bench)
      world.proposal(bench, 0)
    },
    transactions: (bench) => repeat(MANY, () => [world.vote(bench, 1, 'aye')]),
  },
  'gov: ballots that turn the vote of 256 members': {
    ...turns(ELECTORS.at(-1) ?? owner),
    prepare: (bench) => {
      world.founded(world.wide(close))(bench)
      turning(
        bench,
        ELECTORS.map((value) => ({ kind: 'account', value })),
      )
    },
  },
  'gov: ballots that turn the vote of 128 validators': {
    ...turns(world.accountOf(-1), PEERS.at(-1)?.key),
    prepare: (bench) => {
      world.roster(bench)
      world.founded(world.wide(close))(bench)
      const rules = { electorate: BY_PEERS, quorumBps: 1, approvalBps: 9_000, early: true, lateMs: LONG_MS }
      const times = { timelockMs: 1_000, graceMs: 10_000, stepMs: 60_000 }
      turning(
        bench,
        PEERS.map(({ key }) => ({ kind: 'peer', value: key })),
        { rules: { ...rules, ...times } },
      )
    },
  },
  'gov: ballots of locks whose 32 ballots are free': {
    abi,
    by: holderOf,
    timeMs: LATER_MS,
    prepare: secured(false),
    transactions: (bench) => repeat(MANY, () => [world.vote(bench, FURTHER, 'aye', { conviction: 6 })]),
  },
  'gov: ballots replaced in locks of 32': {
    abi,
    by: holderOf,
    timeMs: LATER_MS,
    prepare: secured(true),
    transactions: (bench) => repeat(MANY, () => [world.vote(bench, 1, 'nay', { conviction: 5 })]),
  },
  'gov: ballots refused by locks of 32': {
    abi,
    by: holderOf,
    timeMs: LATER_MS,
    fails: true,
    prepare: secured(true),
    transactions: (bench) => repeat(MANY, () => [world.vote(bench, FURTHER, 'aye')]),
  },
  'gov: locks of 32 ballots enlarged': {
    abi,
    by: holderOf,
    timeMs: LATER_MS,
    prepare: secured(true),
    transactions: () => repeat(MANY, () => [lock(1n, BALLOT)]),
  },
  'gov: withdrawals that free 32 ballots': {
    abi,
    by: holderOf,
    timeMs: LATER_MS,
    prepare: secured(false),
    transactions: () => repeat(MANY, () => [unlock(undefined, BALLOT)]),
  },
  'gov: withdrawals beside 32 open ballots': {
    abi,
    by: holderOf,
    timeMs: LATER_MS,
    prepare: secured(true),
    transactions: () => repeat(MANY, () => [unlock(1n, BALLOT)]),
  },
  'gov: withdrawals refused by 32 open ballots': {
    abi,
    by: holderOf,
    timeMs: LATER_MS,
    fails: true,
    prepare: secured(true),
    transactions: () => repeat(MANY, () => [unlock(2n, BALLOT)]),
  },
  'gov: withdrawn proposals that drop the largest': {
    abi,
    by: (index) => proposerOf(COUNT + 1 + index),
    timeMs: LATER_MS,
    prepare: (bench) => world.closing(bench, COUNT, { leadMs: LONG_MS }),
    transactions: () => world.after(COUNT).map((number) => [act('withdrawProposal', number)]),
  },
  'gov: cancelled proposals that drop the largest': {
    abi,
    by: owner,
    timeMs: LATER_MS,
    prepare: (bench) => world.closing(bench, COUNT, {}),
    transactions: () => world.after(COUNT).map((number) => [cancelProposal(number, true)]),
  },
  'gov: votes of 256 that are rejected and drop the largest': {
    abi,
    by: owner,
    timeMs: LATER_MS,
    prepare: (bench) => {
      for (const number of world.closing(bench, COUNT, {})) bench.state.set(ballots, number, world.allBallots('nay'))
    },
    transactions: () => world.after(COUNT).map((number) => [finalize(number)]),
  },
  'gov: votes of 256 that are approved': {
    abi,
    by: owner,
    timeMs: LATER_MS,
    prepare: (bench) => {
      for (const number of world.closing(bench, COUNT, {})) bench.state.set(ballots, number, world.allBallots('aye'))
    },
    transactions: () => world.after(COUNT).map((number) => [finalize(number)]),
  },
  'gov: lists of objects with names of their own': enactments((index) => stored(named(15_000, index))),
  'gov: lists of shredded JSON': enactments(() => stored(shredded(15_500))),
  'gov: lists of 64 parameters': enactments(() => parameters),
  'gov: lists of nested lists': enactments((index) => repeat(30, (at) => nested(7, `t${index}.${at}`)), 1),
  'gov: parameters above the floor': {
    abi,
    by: owner,
    prepare: world.founded(),
    transactions: () => repeat(COUNT, () => parameters),
  },
}
