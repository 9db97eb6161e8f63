/** Owns the work of a block itself at its worst: its state is as large as the bounds allow. */
import { addKey, addPeer, peerList, SINGLETON_KEY, scheduleHeight } from '../../../src/executor/index.js'
import { advanceSchedule } from '../../../src/executor/membership.js'
import { stageParameter } from '../../../src/executor/parameters.js'
import { LANES_ENABLED } from '../../../src/executor/system-parameters.js'
import { failures, PEERS_MAX, replay } from '../../../src/executor/tables.js'
import { ABI_1 } from '../../../src/features/abi.js'
import { stageLanes } from '../../../src/lanes/index.js'
import { LANE_MAX, ROSTER_MAX } from '../../../src/model/index.js'
import * as core from '../../support/core.js'
import type { Bench } from '../../support/executor.js'
import { laneSpecOf } from '../../support/lanes.js'
import { seeded } from '../../support/seeded.js'
import { alice, fullCalendar, keyOf, long, named, owner, peerOf, repeat, shredded, VALUE_BYTES } from './inputs.js'
import { type BlockPlace, coldState, fastest, timedBlock } from './measure.js'

const SEED = Buffer.alloc(32, 3)

interface Hook {
  readonly prepare: (bench: Bench) => void
  readonly place?: BlockPlace
}

/** Time of one kind of work in a block without transactions. */
export interface HookFigure {
  readonly name: string
  readonly ms: number
  /** Units of the runs of the block; 0: none. */
  readonly teu: number
}

/** The largest network: each validator has rotated, and the first half let views fail. */
function largestNetwork(bench: Bench): void {
  for (let index = 0; index < PEERS_MAX; index += 1) addPeer(bench.state, peerOf(index), 1, 1)
  const all = bench.state.get(peerList, SINGLETON_KEY) ?? []
  for (const [index, peer] of all.slice(0, ROSTER_MAX).entries()) {
    addKey(bench.state, { key: keyOf(1_000 + index), peer, pop: Buffer.alloc(96) }, 4, 2)
  }
  bench.state.set(failures, SINGLETON_KEY, new Map(all.map((peer) => [peer, 9])))
  for (const height of [9, 10, 11]) scheduleHeight(seeded(bench.state, SEED), height)
}

const timers = (bench: Bench): void => {
  fullCalendar(bench, 47)
  // Each of 64 has as much to do as its share of the block, and fails afterwards.
  const list = [core.setKey({ kind: 'account', value: alice }, 'k', shredded(9_000)), core.burn(alice, 10_000_000n)]
  for (let index = 0; index < 64; index += 1) {
    bench.genesis(alice, core.registerTrigger(long(index), alice, core.every(100, 1_000), list))
  }
}
/** Runs that do next to nothing, with the maximum size of fee options in their metadata. */
const withFeeOptions = (bench: Bench): void => {
  fullCalendar(bench, 47)
  for (let index = 0; index < 64; index += 1) {
    bench.genesis(
      alice,
      core.registerTrigger(long(index), alice, core.every(100, 1_000), [core.log('')]),
      ...['teu_limit', 'fee_sponsor'].map((key, at) =>
        core.setKey({ kind: 'trigger', value: long(index) }, key, named(VALUE_BYTES - 100, 2 * index + at)),
      ),
    )
  }
}
const atTheEnd = (bench: Bench): void => {
  const list = repeat(3, (index) => core.setKey({ kind: 'account', value: alice }, `k${index}`, shredded(4_000)))
  for (let index = 0; index < 8; index += 1) {
    bench.genesis(alice, core.registerTrigger(long(index), alice, { kind: 'preCommit', value: undefined }, list))
  }
}

export const HOOKS: Readonly<Record<string, Hook>> = {
  nothing: { prepare: () => {} },
  'failures of 60 views among 512 peers, schedule of 128': {
    prepare: largestNetwork,
    place: { height: 10, originView: 60 },
  },
  'schedule after a change of the roster': {
    prepare: (bench) => {
      largestNetwork(bench)
      advanceSchedule(bench.state, 9)
      addKey(bench.state, { key: keyOf(9_000), peer: keyOf(0), pop: Buffer.alloc(96) }, 12, 10)
    },
    place: { height: 10 },
  },
  'parameters that become current': {
    prepare: (bench) => {
      for (const def of ABI_1.parameters) stageParameter(bench.state, def, def.fallback, 2)
    },
  },
  'lanes: 1,000 that become current': {
    prepare: (bench) => {
      stageParameter(bench.state, LANES_ENABLED, true, 2)
      const lane = (alias: string) => (id: number) => ({
        ...laneSpecOf(id),
        alias: `${alias}-${id}`,
        state: id < 60 ? ('active' as const) : ('retired' as const),
      })
      stageLanes(bench.state, repeat(LANE_MAX + 1, lane('a')), undefined)
      stageLanes(bench.state, repeat(LANE_MAX + 1, lane('b')), 2)
    },
  },
  'replay windows that end': {
    prepare: (bench) => {
      for (let height = 2; height < 200; height += 1) {
        bench.state.set(replay, height, { digest: SEED, lastExpiryMs: 1 })
      }
    },
    place: { height: 300 },
  },
  'time triggers: 64 due in a full calendar': { prepare: timers, place: { timeMs: 200 } },
  'time triggers: 64 that do nothing, with the longest wishes': { prepare: withFeeOptions, place: { timeMs: 200 } },
  'time triggers: 64 put off by a late view': { prepare: timers, place: { timeMs: 200, originView: 3 } },
  'triggers at the end of a block: 8': { prepare: atTheEnd },
}

/** Work of an own block per hook; the place of evidence is its pairings (pairings.ts). */
export async function benchHooks(): Promise<HookFigure[]> {
  const found: HookFigure[] = []
  for (const [name, { prepare, place }] of Object.entries(HOOKS)) {
    const bench = preparedHook(prepare, place)
    const { ms, teu } = await fastest(async () => timedBlock(await coldState(bench.state), [], place), 0.5)
    found.push({ name, ms, teu })
  }
  return found
}

/** Prepared state of a hook, with the schedule that every block needs. */
export function preparedHook(prepare: Hook['prepare'], place: BlockPlace | undefined): Bench {
  const bench = core.smallWorld()
  bench.genesis(owner, core.mint(alice, 1_000_000n))
  const height = place?.height ?? 2
  prepare(bench)
  if ((bench.state.get(peerList, SINGLETON_KEY) ?? []).length === 0) {
    for (const at of [height - 1, height, height + 1]) scheduleHeight(seeded(bench.state, SEED), at)
  }
  return bench
}
