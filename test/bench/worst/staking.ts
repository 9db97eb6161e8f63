/**
 * Owns the search for underpriced staking: full lists, full pages, after a snapshot; beside a plain transfer of the
 * same chain.
 */

import { type BlockInput, EXECUTIONS, type ExecutableEntry, executeBlock } from '../../../src/executor/index.js'
import { ABI_2 } from '../../../src/features/abi.js'
import { instructions as assets } from '../../../src/features/assets/schema/instructions.js'
import { instructions as peers } from '../../../src/features/peers/schema.js'
import { elections } from '../../../src/features/staking/ledger/elections/tables.js'
import { calendarOf } from '../../../src/features/staking/ledger/epochs/calendar.js'
import { validators } from '../../../src/features/staking/ledger/validators/tables.js'
import { instructions as staking } from '../../../src/features/staking/schema/instructions.js'
import { TARGETS_MAX } from '../../../src/features/staking/schema/records.js'
import {
  type AccountId,
  type Instruction,
  instruction,
  ROSTER_MAX,
  signedTransaction,
} from '../../../src/model/index.js'
import type { WorldState } from '../../../src/state/index.js'
import {
  accountNamed,
  amount,
  bond,
  CHAIN,
  chill,
  codec,
  NposChain,
  nodeNamed,
  nominate,
  rebond,
  rootOf,
  STAKE,
  unbond,
  withdraw,
} from '../../support/npos/chain.js'
import { coldState, fastest, processorMs } from './measure.js'

/** Result of an input of staking. */
export interface StakingFigure {
  readonly name: string
  readonly transactions: number
  readonly approved: number
  /** Units of all of them, and microseconds per unit beyond an empty block. */
  readonly teu: number
  readonly microsPerTeu: number
  /** Time of the whole block. */
  readonly blockMs: number
}

const VOTERS = 2_000
const VALIDATORS = 16
/** Accounts with money and without a stake. */
const HOLDERS = 64
const PER_BLOCK = 40
const voter = (index: number): string => `n${index}`
const holder = (index: number): string => `h${index}`

type Entries = (chain: NposChain) => readonly ExecutableEntry[]

/** The same instruction of many accounts, one transaction each. */
const each =
  (count: number, name: (index: number) => string, ...instructions: readonly Instruction[]): Entries =>
  (chain) =>
    Array.from({ length: count }, (_, index) => chain.tx(accountNamed(name(index)), ...instructions))

const targets = (from = 0) => Array.from({ length: TARGETS_MAX }, (_, index) => accountNamed(`v${from + index}`))

/** Network with the maximum number of seats, all candidates in genesis, whose next epoch is decided and not written. */
async function decidedChain(): Promise<NposChain> {
  const nodes = await Promise.all(Array.from({ length: ROSTER_MAX }, (_, index) => nodeNamed(`v${index}`)))
  const chain = new NposChain({
    validators: nodes.map((node, index) => ({ node, bond: 10_000n + BigInt(index) })),
    holders: [holder(0)],
    parameters: { max_validators: ROSTER_MAX },
  })
  for (;;) {
    const { snapshot, nextStart } = calendarOf(chain.state) ?? {}
    if (snapshot?.isDecided === true && nextStart === undefined) return chain
    chain.to(chain.height + 1)
  }
}

/** Accounts with seats in the election of the next epoch. */
const elected = (chain: NposChain): AccountId[] =>
  (chain.state.get(elections, chain.epoch + 1)?.elected ?? []).map(({ validator }) => validator)

/** Network with the maximum number of voters, each with the maximum number of targets. */
async function fullChain(): Promise<NposChain> {
  const nodes = await Promise.all(Array.from({ length: VALIDATORS }, (_, index) => nodeNamed(`v${index}`)))
  return new NposChain({
    validators: nodes.map((node, index) => ({ node, bond: 10_000n + BigInt(index) })),
    nominators: Array.from({ length: VOTERS }, (_, index) => ({
      name: voter(index),
      bond: BigInt(1_000 + ((index * 7_919) % VOTERS)),
      targets: Array.from({ length: TARGETS_MAX }, (_, target) => `v${target}`),
    })),
    holders: Array.from({ length: HOLDERS }, (_, index) => holder(index)),
    parameters: { reward_per_epoch: amount(1_000n), max_voters: VOTERS },
  })
}

/** Input with its chain; absent: the one full of voters. */
interface StakingCase {
  readonly chain?: () => Promise<NposChain>
  readonly prepare?: (chain: NposChain) => void
  readonly entries: Entries
}

const CASES: Readonly<Record<string, StakingCase>> = {
  'transfers, for comparison': {
    entries: (chain) =>
      Array.from({ length: PER_BLOCK }, (_, index) => {
        const account = accountNamed(holder(index))
        const value = { asset: { definition: STAKE, account }, to: accountNamed(holder(63)), amount: amount(1n) }
        return chain.tx(account, instruction(assets.transfer, value))
      }),
  },
  Bond: { entries: each(PER_BLOCK, holder, bond(5_000n)) },
  'Bond of a listed voter': { entries: each(PER_BLOCK, voter, bond(1n)) },
  'Nominate: a full list of larger ones': {
    entries: each(PER_BLOCK, holder, bond(1n), nominate(...targets())),
  },
  'Nominate: displaces the smallest': {
    entries: (chain) =>
      Array.from({ length: PER_BLOCK }, (_, index) =>
        chain.tx(accountNamed(holder(index)), bond(100_000n + BigInt(index)), nominate(...targets())),
      ),
  },
  'Nominate: other targets': { entries: each(PER_BLOCK, voter, nominate(...targets(8))) },
  'Nominate: other targets after a snapshot': {
    prepare: (chain) => chain.to(25),
    entries: (chain) =>
      Array.from({ length: 30 }, (_, index) => chain.tx(accountNamed(voter(index * 64)), nominate(...targets(8)))),
  },
  'Unbond: a voter leaves': {
    entries: (chain) =>
      Array.from({ length: PER_BLOCK }, (_, index) =>
        chain.tx(accountNamed(voter(index * 3)), unbond(BigInt(1_000 + ((index * 3 * 7_919) % VOTERS)))),
      ),
  },
  'Unbond, Rebond': { entries: each(PER_BLOCK, voter, unbond(10n), rebond(10n)) },
  'Withdraw: nothing is free': {
    prepare: (chain) => {
      for (let index = 0; index < PER_BLOCK; index += 1) chain.run(accountNamed(voter(index)), unbond(1n))
    },
    entries: each(PER_BLOCK, voter, withdraw),
  },
  'Payout: pages of 64': {
    prepare: (chain) => {
      chain.run(accountNamed(holder(1)), instruction(staking.fundStakingRewards, { amount: amount(50_000n) }))
      chain.toEpoch(1)
    },
    entries: (chain) =>
      chain.seats.flatMap((validator) =>
        Array.from({ length: 6 }, (_, page) =>
          chain.tx(accountNamed(holder(2)), instruction(staking.payoutStakingReward, { epoch: 0, validator, page })),
        ),
      ),
  },
  'DisableConsensusKey: a seat of a decided election': {
    chain: decidedChain,
    entries: (chain) =>
      elected(chain).map((account) => {
        const key = chain.state.get(validators, account)?.key ?? ''
        const operator = chain.operatorOf(account) ?? account
        return chain.tx(operator, instruction(peers.disableConsensusKey, { key, force: true }))
      }),
  },
  Chill: {
    entries: (chain) => Array.from({ length: 8 }, (_, index) => chain.tx(accountNamed(`v${index}`), chill)),
  },
}

function blockOf(chain: NposChain, state: WorldState, entries: readonly ExecutableEntry[]) {
  const overlay = state.overlay()
  const started = processorMs()
  const opened = entries.map((one) => {
    const decoded = signedTransaction.decode(one.signedBytes, codec)
    if (!decoded.ok) throw new Error(decoded.fault.message)
    return { ...one, signed: decoded.value }
  })
  const input: BlockInput = {
    abi: ABI_2,
    chain: CHAIN,
    chainHash: chain.chainHash,
    height: chain.height + 1,
    originView: 0,
    timeMs: chain.timeMs + 1,
    parentCertificate: undefined,
    parent: { hash: rootOf(1), stateRoot: rootOf(chain.height) },
    evidence: [],
    entries: opened,
  }
  const run = executeBlock(EXECUTIONS.validate, input, overlay)
  state.prepare(overlay)
  return { ms: processorMs() - started, run }
}

/** Run the search; the slowest inputs first. */
export async function benchStakingCosts(): Promise<StakingFigure[]> {
  const figures: StakingFigure[] = []
  for (const [name, { chain: made = fullChain, prepare, entries }] of Object.entries(CASES)) {
    const chain = await made()
    prepare?.(chain)
    const all = entries(chain)
    const timed = (some: readonly ExecutableEntry[]) =>
      fastest(async () => blockOf(chain, await coldState(chain.state, codec), some), 0.4)
    const empty = await timed([])
    const { ms, run } = await timed(all)
    const teu = run.results.reduce((sum, one) => sum + one.teu, 0)
    const approved = run.results.filter(({ outcome }) => outcome.kind === 'approved').length
    const microsPerTeu = ((ms - empty.ms) * 1_000) / teu
    figures.push({ name, transactions: run.results.length, approved, teu, microsPerTeu, blockMs: ms })
    if (calendarOf(chain.state) === undefined) throw new Error('a chain without epochs')
  }
  return figures.sort((a, b) => b.microsPerTeu - a.microsPerTeu)
}
