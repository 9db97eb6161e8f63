/**
 * Owns `--only=governance`: figures of governance and the registry on the executor, in processor time of one process, and the rate of
 * ballots on a network. Blocks of the two sides of a ratio alternate.
 */
import semver from 'semver'
import type { ExecutableEntry } from '../../src/executor/index.js'
import { ABI_2 } from '../../src/features/abi.js'
import { ballots } from '../../src/features/gov/ledger/tables.js'
import { candidatesOf } from '../../src/features/registry/node/handlers.js'
import { Blocks, entry } from '../support/blocks.js'
import * as core from '../support/core.js'
import type { Bench } from '../support/executor.js'
import { finalize } from '../support/gov.js'
import { benchBallots } from './governance-network.js'
import { median } from './quantile.js'
import * as world from './worst/gov-world.js'
import { alice, owner, people, repeat } from './worst/inputs.js'
import { coldState, processorMs, timedBlock } from './worst/measure.js'

const ROUNDS = Number(process.env['BENCH_GOVERNANCE_ROUNDS'] ?? 60)
const COUNT = 200
const VERSIONS = 4_096
const NOW_MS = 30_000
/** Before the votes end that are prepared at the start. */
const VOTING_MS = 10_000
const context = ABI_2.codec('cw')

/** A state, and the transactions of a block on it. */
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

const transfersOf = (): ExecutableEntry[] =>
  world.ELECTORS.slice(0, COUNT).map((to) => entry(alice, [core.transfer(alice, to, 1n)], { context }))
/** Vote of the board that the first COUNT members cast ballots on. */
const voted = sideOf(
  (bench) => {
    world.founded()(bench)
    world.proposal(bench, 0)
  },
  (bench) => world.ELECTORS.slice(0, COUNT).map((by) => entry(by, [world.vote(bench, 1, 'nay')], { context })),
)

/** Best of the versions of a full package, in ms. */
function benchResolve() {
  const versions = repeat(VERSIONS, (index) => ({
    ...{ version: `${index % 5}.${index % 64}.${index}`, publishedMs: 1, isYanked: false },
  }))
  const range = new semver.Range('^1.0 || >=3.2 <4')
  const times = repeat(ROUNDS, () => {
    const started = processorMs()
    candidatesOf(versions, range, {}, NOW_MS).next()
    return processorMs() - started
  })
  return { versions: VERSIONS, medianMs: median(times.slice(Math.floor(ROUNDS / 3))) }
}

/** Runs the benchmark. */
export async function benchGovernance() {
  const paid = sideOf(world.founded(), transfersOf)
  const plain = sideOf((bench) => {
    for (const id of people(256)) bench.genesis(owner, core.registerAccount(id))
  }, transfersOf)
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
    /** Transfers beside governance with 256 members of a sealed role, against a chain without. */
    transfersWithoutOverWith: await pairs(plain, paid),
    resolve: benchResolve(),
    /** Rates on four validators. */
    network: await benchBallots(),
  }
}
