/** Owns the initial states of the governance inputs: full state rows, the largest electorates, contents and locks. */
import type { Numeric } from '../../../src/codec/index.js'
import { addKey, addPeer } from '../../../src/executor/index.js'
import { GOV_ACCOUNT, stateOf } from '../../../src/features/gov/ledger/account.js'
import {
  ballots,
  govState,
  locks,
  outcomes,
  type Referendum,
  referenda,
  STATE_KEY,
  seals,
} from '../../../src/features/gov/ledger/tables.js'
import { instructions as gov } from '../../../src/features/gov/schema/instructions.js'
import { type Choice, CLOSED_MAX, OPEN_MAX, SCOPE_MAX, type Track } from '../../../src/features/gov/schema/records.js'
import { accountRoles, roles } from '../../../src/ledger/tables.js'
import { type AccountId, type Instruction, instruction, type Peer, ROSTER_MAX } from '../../../src/model/index.js'
import { Blocks } from '../../support/blocks.js'
import * as core from '../../support/core.js'
import type { Bench } from '../../support/executor.js'
import { accountOfPeer, lock, submit, track } from '../../support/gov.js'
import { keyOf, named, owner, peerOf, people, repeat } from './inputs.js'

/** All roles of a member have names of full length. */
const ROLES = repeat(16, (index) => `${index}`.padEnd(128, 'r'))
export const BOARD = ROLES[0] as string
export const ELECTORS = people(256)
/** Proposers: an account has at most two open proposals. */
export const proposerOf = (index: number): AccountId => ELECTORS[index >> 1] ?? owner
export const BALLOT = 'ballot#bank'
/** Nearly the maximum supply of a definition. */
const HUGE = 10n ** 120n
export const BY_BOARD = { kind: 'role', value: { role: BOARD } } as const
export const BY_BALLOT = { kind: 'asset', value: { definition: BALLOT } } as const
export const BY_PEERS = { kind: 'validators', value: undefined } as const
/** Header time of measured blocks: the prepared votes have ended. */
export const LATER_MS = 100_000

/** Scope with the maximum number of elements of maximum length. */
export const SCOPE = repeat(SCOPE_MAX, (index) =>
  index < 2 ? (['metadata', 'log'][index] as string) : `parameter::set=${`${index}`.padEnd(145, 'x')}`,
)
const first = track({ electorate: BY_BOARD, scope: ['*', ...SCOPE.slice(1)], quorumBps: 1 })

/** 256 members with all 16 roles; role 0 is sealed. Rows are written directly: granting is measured elsewhere. */
function board(bench: Bench): void {
  bench.genesis(
    owner,
    ...ELECTORS.map((id) => core.registerAccount(id)),
    ...ROLES.map((id) => core.registerRole(id)),
    core.permission('grant', 'CanManageGovernance', undefined, owner),
    core.permission('grant', 'CanSetParameters', undefined, owner),
  )
  const { state } = bench
  for (const member of ELECTORS) state.set(accountRoles, member, ROLES)
  for (const role of ROLES) {
    const row = state.get(roles, role)
    if (row !== undefined) state.set(roles, role, { ...row, members: ELECTORS.length })
  }
  state.set(seals, BOARD, ELECTORS)
}

/** Voting asset of which every member has a large amount; governance takes it over at its founding. */
const asset = (bench: Bench): void =>
  bench.genesis(owner, core.registerDefinition(BALLOT), ...HOLDERS.map((id) => core.mint(id, HUGE, BALLOT)))

/** Board and asset, without governance. */
export function electorate(bench: Bench): void {
  board(bench)
  asset(bench)
}
export const founding = (more: readonly Track[], top: Track = first): Instruction =>
  instruction(gov.foundGovernance, {
    domain: 'bank',
    tracks: [top, ...more].map((one, id) => ({ id, track: one })),
    vetoBps: 5_000,
  })

/** Governance with further tracks, the first of them number 1. */
export const founded =
  (...more: readonly Track[]) =>
  (bench: Bench): void => {
    electorate(bench)
    bench.genesis(owner, founding(more))
  }

/** Numbers of outcomes that have ended: every closing drops four. */
const OUTCOMES_FROM = 3_000_000
const OUTCOMES = 100

/** Fill the row of governance: all but `free` slots are occupied. */
export function fill(bench: Bench, free = 0): void {
  const state = stateOf(bench.state)
  if (state === undefined) throw new Error('governance is not founded')
  const others = repeat(OPEN_MAX - free - state.open.length, (index) => ({
    proposal: 1_000_000 + index,
    dueMs: 50 + 700 * index,
    track: 7,
    proposer: ELECTORS[200] ?? owner,
  }))
  bench.state.set(govState, STATE_KEY, {
    ...state,
    open: [...state.open, ...others].sort((a, b) => a.dueMs - b.dueMs || a.proposal - b.proposal),
    closed: [...state.closed, ...repeat(CLOSED_MAX - state.closed.length, (index) => 2_000_000 + index)],
    outcomesFrom: OUTCOMES_FROM,
    next: OUTCOMES_FROM + OUTCOMES,
  })
  for (let number = 0; number < OUTCOMES; number += 1)
    bench.state.set(outcomes, OUTCOMES_FROM + number, { winner: 'nay', endMs: 1, stepMs: 1 })
}

/** List of nearly 32 KiB of JSON with many small parts. */
export const fatList = (seed: number, bytes = 15_000): Instruction[] =>
  repeat(2, (at) => core.setKey({ kind: 'account', value: GOV_ACCOUNT }, `k${at}`, named(bytes, 2 * seed + at)))

/** Run a preparation, which must succeed. */
export function must(bench: Bench, by: AccountId, ...list: readonly Instruction[]): void {
  const code = bench.run(by, ...list)
  if (code !== undefined) throw new Error(`${code}: ${bench.last?.rejection?.message}`)
}

/** Submit a list on a track; returns its number. */
export function proposal(bench: Bench, trackId: number, list: readonly Instruction[] = [core.log('')]): number {
  const number = stateOf(bench.state)?.next ?? 1
  must(bench, proposerOf(number), submit(trackId, list))
  return number
}

/** Closed proposals with the largest contents and all ballots, which the next closings remove. */
export function closedOnes(bench: Bench, count: number): void {
  for (const index of repeat(count, (at) => at)) {
    const number = proposal(bench, 0, fatList(index))
    bench.state.set(ballots, number, allBallots('aye'))
    must(bench, owner, instruction(gov.cancelProposal, { proposal: number, forfeit: false }))
  }
}
export const allBallots = (choice: Choice) =>
  ELECTORS.map((value) => ({ elector: { kind: 'account' as const, value }, choice }))

export const vote = (
  bench: Bench,
  number: number,
  choice: Choice,
  more: { readonly conviction?: number; readonly peer?: string | undefined } = {},
): Instruction =>
  instruction(gov.castBallot, {
    proposal: number,
    choice,
    amount: undefined,
    conviction: more.conviction ?? 0,
    peer: more.peer,
    digest: bench.state.get(referenda, number)?.digest ?? Buffer.alloc(32),
  })

/** Change the record of a proposal. */
export function change(bench: Bench, number: number, more: Partial<Referendum>): void {
  const row = bench.state.get(referenda, number)
  if (row === undefined) throw new Error(`proposal ${number} has no record`)
  bench.state.set(referenda, number, { ...row, ...more })
}

/** Accounts that hold the voting asset. */
export const HOLDERS = ELECTORS.slice(0, 32)
const LOCKED = HUGE / 2n
export const lockAll = (bench: Bench): void => {
  for (const account of HOLDERS) must(bench, account, lock(LOCKED, BALLOT))
}
/** Have the lock of every holder secure a ballot of each proposal. */
export function secure(bench: Bench, numbers: readonly number[]): void {
  for (const account of HOLDERS) {
    const key = { definition: BALLOT, account }
    const held = numbers.map((number, index) => ({
      proposal: number,
      choice: 'aye' as const,
      conviction: 6,
      amount: core.units(LOCKED - BigInt(index) - 1n),
    }))
    bench.state.set(locks, key, { amount: core.units(LOCKED), held })
  }
  const [ayes, aye] = [1n, 60n].map((weight) => core.units(weight * LOCKED * BigInt(HOLDERS.length))) as [
    Numeric,
    Numeric,
  ]
  const none = core.units(0n)
  for (const number of numbers) change(bench, number, { tally: { aye, ayes, nay: none, nays: none, abstains: none } })
}

export const PEERS = repeat(ROSTER_MAX, peerOf)
export const accountOf = (index: number): AccountId => accountOfPeer(PEERS.at(index) as Peer)

/** The largest roster, each member with a later key and an account. */
export function roster(bench: Bench): void {
  for (const peer of PEERS) addPeer(bench.state, peer, 1, 1)
  for (const [index, { key }] of PEERS.entries())
    addKey(bench.state, { key: keyOf(1_000 + index), peer: key, pop: Buffer.alloc(96) }, 2, 1)
  new Blocks(bench)
  bench.genesis(owner, ...PEERS.map((peer) => core.registerAccount(accountOfPeer(peer))))
}

const DEPOSIT = { definition: BALLOT, amount: core.units(10n ** 105n) }
/** Tracks with all optional fields. */
export const wide = (more: Partial<Track> = {}): Track =>
  track({ electorate: BY_BOARD, scope: SCOPE, quorumBps: 1, deposit: DEPOSIT, votingMs: 20_000, ...more })
/** Proposals in a full state row, each of which removes an old one with the largest content when it closes. */
export function closing(bench: Bench, count: number, more: Partial<Track>): number[] {
  founded(wide(more))(bench)
  closedOnes(bench, count)
  const numbers = repeat(count, () => proposal(bench, 1))
  fill(bench)
  return numbers
}
/** Numbers of the proposals after a number of closed ones. */
export const after = (closed: number): number[] => repeat(closed, (index) => closed + 1 + index)
