/**
 * Owns `--only=governance`: benchmark of governance and the registry on the executor, in processor time of one process,
 * and the rate of ballots on a network. Blocks of the two sides of a ratio alternate.
 */
import semver from 'semver'
import type { ExecutableEntry } from '../../src/executor/index.js'
import { ABI_2 } from '../../src/features/abi.js'
import { ballots, locks, seals } from '../../src/features/gov/ledger/tables.js'
import { bestVersion } from '../../src/features/registry/node/handlers.js'
import type { AccountId } from '../../src/model/index.js'
import { Blocks, entry } from '../support/blocks.js'
import * as core from '../support/core.js'
import type { Bench } from '../support/executor.js'
import { enact, finalize } from '../support/gov.js'
import { benchBallots } from './governance-network.js'
import { median } from './quantile.js'
import * as world from './worst/gov-world.js'
import { agent, alice, named, owner, people, repeat } from './worst/inputs.js'
import { coldState, processorMs, timedBlock } from './worst/measure.js'

const ROUNDS = Number(process.env['BENCH_GOVERNANCE_ROUNDS'] ?? 60)
const COUNT = 200
const VERSIONS = 4_096
const NOW_MS = 30_000
/** Time until the votes prepared at the start end, in ms. */
const VOTING_MS = 10_000
const context = ABI_2.codec('cw')

/** State, and the transactions of a block on it. */
interface Side {
  readonly bench: Bench
  readonly entries: readonly ExecutableEntry[]
  /** Header time; absent: after the votes have ended. */
  readonly timeMs?: number
}
function sideOf(prepare: (bench: Bench) => void, make: (bench: Bench) => readonly ExecutableEntry[]): Side {
  const bench = core.smallWorld(ABI_2)
  bench.genesis(owner, core.mint(alice, 1_000_000n))
  prepare(bench)
  const entries = make(bench)
  new Blocks(bench)
  return { bench, entries }
}
async function blockMs({ bench, entries, timeMs = NOW_MS }: Side): Promise<number> {
  const run = timedBlock(await coldState(bench.state, context), entries, { abi: ABI_2, timeMs })
  if (run.approved < entries.length) throw new Error(`${entries.length - run.approved} transactions failed`)
  return run.ms
}
/** Median time of a block of each side, in ms, and the median of the ratios of pairs. */
async function pairs(first: Side, second: Side) {
  const times: (readonly [number, number])[] = []
  for (let round = 0; round < ROUNDS; round += 1) times.push([await blockMs(first), await blockMs(second)])
  const warm = times.slice(Math.floor(ROUNDS / 3))
  const [firstMs, secondMs] = [median(warm.map(([ms]) => ms)), median(warm.map(([, ms]) => ms))]
  return { firstMs, secondMs, ratio: median(warm.map(([one, other]) => one / other)) }
}

/** Units that the transactions of each side use. */
const unitsOf = (...sides: readonly Side[]): Promise<number[]> =>
  Promise.all(
    sides.map(async ({ bench, entries, timeMs = NOW_MS }) => {
      const state = await coldState(bench.state, context)
      return timedBlock(state, entries, { abi: ABI_2, timeMs }).teu
    }),
  )

/** Transfers from the account of alice to members of the board, by her or another account. */
const transfersBy = (authority: AccountId): ExecutableEntry[] =>
  world.ELECTORS.slice(0, COUNT).map((to) => entry(authority, [core.transfer(alice, to, 1n)], { context }))
/** Role by which the agent pays out of the account of alice, and locks of a voting asset beside. */
const DESK = 'desk'
const LOCKS = 1_000
/** Payments of the agent by a permission of its role, which is sealed or not. */
const paymentsByRole = (isGoverned: boolean): Side =>
  sideOf(
    (bench) => {
      world.founded()(bench)
      bench.genesis(owner, core.registerRole(DESK, [['CanTransfer', core.USD]]), core.roleOf('grant', DESK, agent))
      if (!isGoverned) return
      bench.state.set(seals, DESK, [agent])
      for (const account of people(LOCKS)) {
        bench.state.set(locks, { definition: world.BALLOT, account }, { amount: core.units(1n), held: [] })
      }
    },
    () => transfersBy(agent),
  )

/** Vote of the board in which the first COUNT members cast ballots. */
const voted = sideOf(
  (bench) => {
    world.founded()(bench)
    world.proposal(bench, 0)
  },
  (bench) => world.ELECTORS.slice(0, COUNT).map((by) => entry(by, [world.vote(bench, 1, 'nay')], { context })),
)

/** Bytes of each of the two values that an enactment stores, and that a transaction of a fifth more units stores. */
const ENACTED_BYTES = 11_800
const TRANSACTED_BYTES = 15_600
/** Enactment of nearly the largest content, and a transaction of the same instructions. */
const enacted = sideOf(
  (bench) => {
    world.founded()(bench)
    const number = world.proposal(bench, 0, world.fatList(0, ENACTED_BYTES))
    world.change(bench, number, { status: 'approved', enactFromMs: 1, enactUntilMs: 10 * NOW_MS })
  },
  () => [entry(owner, [enact(1)], { context })],
)
const transacted = sideOf(world.founded(), () => {
  const target = { kind: 'account', value: owner } as const
  const list = repeat(2, (at) => core.setKey(target, `k${at}`, named(TRANSACTED_BYTES, at)))
  return [entry(owner, list, { context })]
})

/** Highest version of a full package, in ms. */
function benchResolve() {
  const versions = repeat(VERSIONS, (index) => ({
    version: `${index % 5}.${index % 64}.${index}`,
    publishedMs: 1,
    isYanked: false,
    isDenied: false,
  }))
  const range = new semver.Range('^1.0 || >=3.2 <4')
  const times = repeat(ROUNDS, () => {
    const started = processorMs()
    bestVersion(versions, range, {}, NOW_MS)
    return processorMs() - started
  })
  return { versions: VERSIONS, medianMs: median(times.slice(Math.floor(ROUNDS / 3))) }
}

/** Run the benchmark. */
export async function benchGovernance() {
  const paid = sideOf(world.founded(), () => transfersBy(alice))
  const plain = sideOf(
    (bench) => {
      for (const id of people(256)) bench.genesis(owner, core.registerAccount(id))
    },
    () => transfersBy(alice),
  )
  const closed = sideOf(
    (bench) => {
      world.founded()(bench)
      world.proposal(bench, 0)
      bench.state.set(ballots, 1, world.allBallots('aye'))
    },
    () => [entry(owner, [finalize(1)], { context })],
  )
  const empty = sideOf(world.founded(), () => [])
  return {
    transactions: COUNT,
    /** Blocks of ballots on one vote of 256 members, against blocks of transfers. */
    ballotsOverTransfers: await pairs({ ...voted, timeMs: VOTING_MS }, paid),
    /** Block that closes a vote of 256 members, against an empty block. */
    closeOf256: await pairs(closed, empty),
    /** Block that enacts a list, against one with a transaction of the same instructions and at least as many units. */
    enactmentOverTransaction: { ...(await pairs(enacted, transacted)), units: await unitsOf(enacted, transacted) },
    /** Transfers beside governance with 256 members of a sealed role, against a chain without. */
    transfersWithoutOverWith: await pairs(plain, paid),
    /** Payments by a permission of a role without a seal, against a sealed one beside 1,000 locks. */
    paymentsWithoutOverWith: await pairs(paymentsByRole(false), paymentsByRole(true)),
    resolve: benchResolve(),
    /** Rates on four validators. */
    network: await benchBallots(),
  }
}
