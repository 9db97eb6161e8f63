/** Owns random histories of stakes: valid and invalid actions of all accounts, with a check after every block. */

import { hash } from '../../../src/crypto/index.js'
import type { BlockRun } from '../../../src/executor/index.js'
import { rosterAt } from '../../../src/executor/rosters.js'
import { elections, exposurePages, exposures } from '../../../src/features/staking/ledger/elections/tables.js'
import { calendarOf } from '../../../src/features/staking/ledger/epochs/calendar.js'
import { epochs } from '../../../src/features/staking/ledger/epochs/tables.js'
import { faultSink } from '../../../src/features/staking/ledger/slashing/slashes.js'
import { stakes } from '../../../src/features/staking/ledger/stake/tables.js'
import { instructions as staking } from '../../../src/features/staking/schema/instructions.js'
import { type AccountId, type Instruction, instruction } from '../../../src/model/index.js'
import { type Random, randomOf } from '../../../src/simulation/prng.js'
import { eventsOf } from '../blocks.js'
import { Supply } from '../supply.js'
import {
  accountNamed,
  amount,
  bond,
  chill,
  type Node,
  NposChain,
  nodeNamed,
  nominate,
  rebond,
  SHORT,
  unbond,
  unjail,
  withdraw,
} from './chain.js'
import { EpochChecker } from './checker.js'
import { faultOf } from './model.js'

const HOLDERS = Array.from({ length: 8 }, (_, index) => `h${index}`)
const ADMIN = accountNamed('admin')
const NODES = 8

/** Random action of an account, sensible or not. */
function act(random: Random, chain: NposChain, nodes: readonly Node[]): readonly [AccountId, Instruction] {
  const some = random.chance(0.4) ? random.pick(nodes).account : accountNamed(random.pick(HOLDERS))
  const sum = BigInt(1 + random.below(30_000))
  const epoch = calendarOf(chain.state)?.epoch ?? 0
  const acts: readonly (() => readonly [AccountId, Instruction])[] = [
    () => [some, bond(sum)],
    () => [some, unbond(sum)],
    () => [some, unbond(sum)],
    () => [some, rebond(sum)],
    () => [some, withdraw],
    () => [some, withdraw],
    () => [some, nominate(...new Set(Array.from({ length: random.below(5) }, () => random.pick(nodes).account)))],
    () => [some, chill],
    () => [some, unjail],
    () => [some, instruction(staking.fundStakingRewards, { amount: amount(sum) })],
    () => [
      some,
      instruction(staking.payoutStakingReward, {
        epoch: Math.max(0, epoch - random.below(3)),
        validator: random.pick(nodes).account,
        page: 0,
      }),
    ],
    () => [
      ADMIN,
      instruction(staking.stageMode, {
        nextMode: random.chance(0.5) ? 'npos' : 'permissioned',
        modeActivationHeight: chain.height + 5 + random.below(20),
        force: random.chance(0.5),
      }),
    ],
    () => [ADMIN, instruction(staking.cancelMode, {})],
    () => [ADMIN, instruction(staking.cancelSlash, { id: 1 + random.below(5), reason: 'a mistake' })],
  ]
  return random.pick(acts)()
}

/** Prove a fault of a seat at a height for which evidence is admitted. */
function prove(random: Random, chain: NposChain): void {
  const height = Math.max(2, chain.height - random.below(50))
  const record = chain.state.get(epochs, rosterAt(chain.state, height)?.epoch ?? -1)
  if (record === undefined || record.seats.length === 0) return
  faultSink(chain.state, {
    kind: random.pick(['double_prepare', 'double_commit', 'double_proposal']),
    offender: random.pick(record.seats).key,
    height,
    view: 0,
    epoch: record.number,
    evidenceHash: hash('evidence', Buffer.from(String(random.next()))),
    recordedHeight: chain.height + 1,
    recordedMs: chain.timeMs,
  })
}

/** Result of a history: its first fault, and its coverage. */
export interface History {
  /** undefined: none. */
  readonly fault: string | undefined
  readonly epochs: number
  readonly kept: number
  readonly withdrawals: number
  readonly withdrawalsAfterKept: number
  readonly slashes: number
  readonly switches: number
  readonly withheld: number
}

/** Run the history of a seed. */
export async function history(seed: number, blocks: number): Promise<History> {
  const nodes = await Promise.all(Array.from({ length: NODES }, (_, index) => nodeNamed(`v${index}`)))
  const random = randomOf(seed, 'stakes')
  const count = 5 + random.below(4)
  const chain = new NposChain({
    validators: nodes.slice(0, count).map((node) => ({
      node,
      bond: BigInt(1_000 + random.below(20_000)),
      commissionBps: random.below(2_000),
    })),
    nominators: HOLDERS.slice(0, 4).map((name) => ({
      name,
      bond: BigInt(1 + random.below(9_000)),
      targets: [...new Set(Array.from({ length: 1 + random.below(5) }, () => `v${random.below(5)}`))],
    })),
    holders: HOLDERS.slice(4),
    parameters: {
      reward_per_epoch: amount(BigInt(random.below(5_000))),
      slash_to: random.chance(0.5) ? 'burn' : 'pot',
      slashing_delay_ms: random.below(4) * 60_000,
      slashing_delay_blocks: random.below(40),
      max_voters: 4 + random.below(4),
      max_candidates: count,
      // High enough that seven seats often cannot reach it.
      min_security_bps: 1_500 + randomOf(seed, 'security').below(6_000),
      min_self_bond: amount(500n),
      min_nomination_bond: amount(2n),
    },
    mode: random.chance(0.8) ? 'npos' : 'permissioned',
  })
  const accounts = [ADMIN, ...nodes.map(({ account }) => account), ...HOLDERS.map(accountNamed)]
  /** Stake unbonded from each account and not withdrawn. */
  const left = new Map<AccountId, { readonly height: number; readonly term: number }[]>()
  const checker = new EpochChecker(chain)
  const supply = new Supply(chain.state)
  const met = { epochs: 0, kept: 0, withdrawals: 0, withdrawalsAfterKept: 0, slashes: 0, switches: 0, withheld: 0 }
  const note = (run: BlockRun): void => {
    met.kept += eventsOf(run, 'stakingElectionKept').length
    met.slashes += eventsOf(run, 'stakeSlashed').length
    met.switches += eventsOf(run, 'stakingModeSwitched').length
    met.withheld += eventsOf(run, 'stakingValidatorChanged').filter(
      ({ status }) => (status as { value?: { reason?: string } }).value?.reason === 'withheld',
    ).length
  }
  for (let block = 0; block < blocks; block += 1) {
    if (random.chance(0.1)) chain.timeMs += 60_000 * random.below(3)
    if (random.chance(0.02)) prove(random, chain)
    if (random.chance(0.03)) chain.asleep.add(random.pick(nodes).account)
    if (random.chance(0.05)) chain.asleep.clear()
    if (random.chance(0.02)) chain.withholding.add(random.pick(nodes).account)
    if (random.chance(0.02)) chain.withholding.clear()
    if (random.chance(0.02)) chain.late.add(random.pick(nodes).account)
    if (random.chance(0.02)) chain.late.clear()
    const acts = Array.from({ length: random.below(3) }, () => act(random, chain, nodes))
    const term = calendarOf(chain.state)?.term ?? 0
    const run = chain.block(acts.map(([authority, instruction]) => chain.tx(authority, instruction)))
    const broken = [...run.rejections.values()].find(({ code }) => code === 'executor_fault')
    const fault = broken?.code ?? faultOf(chain, accounts) ?? checker.look(run)
    if (fault !== undefined) return { fault: `seed ${seed} height ${chain.height}: ${fault}`, ...met }
    supply.look(run, `seed ${seed} height ${chain.height}`)
    note(run)
    for (const [place, [authority, { kind }]] of acts.entries()) {
      if (run.rejections.has(place)) continue
      const own = left.get(authority) ?? []
      if (kind === 'unbondStake') left.set(authority, [...own, { height: chain.height, term }])
      if (kind !== 'withdrawStake') continue
      const kept = chain.state.get(stakes, authority)?.unbonding ?? []
      const gone = own.filter((one) => !kept.some((chunk) => chunk.term === one.term))
      left.set(
        authority,
        own.filter((one) => !gone.includes(one)),
      )
      met.withdrawals += 1
      if (met.kept > 0) met.withdrawalsAfterKept += 1
      if (gone.some(({ height }) => stillAtRisk(chain, authority, height))) {
        return { fault: `seed ${seed} height ${chain.height}: what may yet be slashed is withdrawn`, ...met }
      }
    }
  }
  return { fault: undefined, ...met, epochs: chain.epoch }
}

/** True while a fault can still be proven of a roster that counted this stake, unbonded at a height. */
function stillAtRisk(chain: NposChain, account: AccountId, unbonded: number): boolean {
  const { state, height } = chain
  const calendar = calendarOf(state)
  const from = Math.max(1, height - SHORT.evidence_horizon_blocks)
  const records = Array.from({ length: (calendar?.epoch ?? 0) + 2 }, (_, number) => state.get(epochs, number))
  for (const [number, record] of records.entries()) {
    if (record === undefined || record.seats.length === 0) continue
    const end = records[number + 1]?.start ?? Number.POSITIVE_INFINITY
    const first = records.find((one) => one?.term === record.term)
    const snapshot = state.get(elections, first?.number ?? 0)?.snapshotHeight ?? 0
    if (end <= from || unbonded <= snapshot) continue
    for (const { validator } of record.seats) {
      if (validator === account) return true
      const { pages = 0 } = state.get(exposures, { term: record.term, validator }) ?? {}
      for (let page = 0; page < pages; page += 1) {
        const entries = state.get(exposurePages, { term: record.term, validator, page }) ?? []
        if (entries.some(({ nominator }) => nominator === account)) return true
      }
    }
  }
  return false
}
