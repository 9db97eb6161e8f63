/**
 * Mechanisms that keep a network moving mask each other, so each has a case of its own here, in which those that could
 * replace it are disabled. With it the network commits; without it, and with no other change, it does not.
 */
import { describe, expect, it } from 'vitest'
import { collectorsOf } from '../../src/consensus/proposer.js'
import { type Scenario, type Scheduler, type Stage, scenarioOf } from '../../src/simulation/index.js'
import { subjectOfMessage } from '../../src/simulation/subject.js'
import { consensus, type Patch } from './mutants.js'
import { variantOf } from './variants.js'

const SEEDS = 12
/** Virtual ms until which the schedule holds: the network has to help itself before. */
const HEAL_MS = 20_000

/** Four members, one transaction at the start, no fault but those of the schedule. */
const base: Partial<Scenario> = {
  members: 4,
  observers: 0,
  faulty: [],
  transactions: 1,
  rosterChanges: false,
  collectorsK: 0,
  healAtMs: HEAL_MS,
  crashes: 0,
  powerFailures: 0,
  lostLogs: 0,
  lostDisks: 0,
  firstStart: false,
  fullDisks: 0,
  slowDiskRate: 0,
  lateTimeRate: 0,
  dropRate: 0,
  duplicateRate: 0,
  dataAvailability: false,
  idleCheck: false,
}

interface Case {
  readonly mechanism: string
  /** Switches off what could stand in for it. */
  readonly masks: readonly Patch[]
  /** Switches the mechanism off. */
  readonly without: readonly Patch[]
  readonly scenario?: Partial<Scenario>
  readonly direct: (stage: Stage) => Directed
}

/** The faults of a case, and what came of it before the heal. */
interface Directed extends Scheduler {
  /** The situation came about: a transaction that is submitted too late asks nothing of the mechanism. */
  apt(): boolean
  moved(): boolean
}

const NO_ENTRY_IN_STATUS = consensus('step-context.ts', '  entry: state.entry,\n', '  entry: undefined,\n')
const NO_AMPLIFICATION = consensus(
  'timeout.ts',
  'if (!certify(ctx, timeout.view)) amplify(ctx)',
  'if (!certify(ctx, timeout.view) && ctx.state.view < 0) amplify(ctx)',
)
const NO_GOSSIPED_STATUS = consensus(
  'step.ts',
  "    case 'gossip':\n      expire(ctx)\n      return send(ctx, input.peer, { kind: 'status', value: ownStatus(state) })",
  "    case 'gossip':\n      return expire(ctx)",
)

/** Some commit before the heal. */
const anyCommit = (): { committed(): void; moved(): boolean } => {
  let commits = 0
  return { committed: () => void commits++, moved: () => commits > 0 }
}

/**
 * Three of four get ahead by some views while one is cut off; then one of the three dies for good, and the one that stayed
 * behind is needed.
 */
function leftBehind(stage: Stage): Directed {
  const SPLIT_MS = 4_000
  let split = false
  return {
    ...anyCommit(),
    begin() {
      stage.clock.after(SPLIT_MS, () => {
        split = [0, 1].every((id) => (stage.nodes[id]?.state?.view ?? 0) > 0) && stage.nodes[2]?.state?.view === 0
      })
    },
    apt: () => split,
    admits(from, to, message) {
      const before = stage.clock.nowMs < SPLIT_MS
      const lost = before ? 2 : 3
      if (from.id === lost || to.id === lost) return false
      const { kind, view } = subjectOfMessage(message)
      // No view succeeds before the split; later a proposal, which carries its timeout certificate, helps nobody up.
      return kind !== 'proposal' || (!before && to.state?.view === view)
    },
  }
}

const CASES: readonly Case[] = [
  {
    mechanism: 'the timeout certificate in a Status',
    masks: [NO_AMPLIFICATION],
    without: [NO_ENTRY_IN_STATUS],
    direct: leftBehind,
  },
  {
    mechanism: 'amplification by f + 1 timeouts',
    masks: [NO_ENTRY_IN_STATUS],
    without: [NO_AMPLIFICATION],
    direct: leftBehind,
  },
  {
    mechanism: 'votes to all when the collectors give no certificate',
    masks: [],
    without: [consensus('vote.ts', 'if (targets.length < order.length) {', 'if (targets.length < 0) {')],
    scenario: { members: 7, collectorsK: 3 },
    direct: () => ({
      ...anyCommit(),
      begin() {},
      apt: () => true,
      // The collectors of every view are deaf to votes.
      admits(_from, to, message) {
        const { kind, height, view } = subjectOfMessage(message)
        if (kind !== 'prepare' && kind !== 'commit') return true
        const context = to.chain.nextContext()
        return context.height !== height || !collectorsOf(context.order, view, 3, 0).includes(to.key)
      },
    }),
  },
  {
    mechanism: 'a Status to each peer on connecting',
    masks: [NO_GOSSIPED_STATUS],
    without: [
      consensus(
        'step.ts',
        "    case 'peerUp':\n      return send(ctx, input.peer, { kind: 'status', value: ownStatus(state) })",
        "    case 'peerUp':\n      return",
      ),
    ],
    direct: (stage) => {
      const late = stage.nodes[3]
      let caughtUp = false
      let missed = false
      return {
        apt: () => missed,
        // It is away while the others commit, and hears of nothing but answers afterwards: the network is idle.
        begin() {
          if (late !== undefined) stage.restart(late, 8_000)
        },
        admits: (from, to, message) =>
          (from !== late && to !== late) ||
          ['status', 'sync', 'payload', 'commitCertificate'].includes(subjectOfMessage(message).kind),
        committed(node) {
          missed ||= node !== late && late?.isUp === false
          caughtUp ||= node === late
        },
        moved: () => caughtUp,
      }
    },
  },
]

describe('each liveness mechanism alone', () => {
  it.each(CASES.map((one) => [one.mechanism, one] as const))('is needed for progress: %s', async (_name, one) => {
    const whole = await variantOf(one.masks)
    const lame = await variantOf([...one.masks, ...one.without])
    const play = (variant: typeof whole, seed: number): Directed | undefined => {
      let played: Directed | undefined
      const scenario = { ...scenarioOf('uniform', seed), ...base, ...one.scenario }
      variant.simulate(scenario, undefined, undefined, (stage) => {
        played = one.direct(stage)
        return played
      })
      return played
    }
    const seeds = Array.from({ length: SEEDS }, (_, at) => at + 1)
    const moved = seeds.filter((seed) => {
      const played = play(whole, seed)
      return played?.apt() === true && played.moved()
    })
    expect(moved.length, 'with the mechanism the network moves').toBeGreaterThan(SEEDS / 4)
    const lameMoved = moved.filter((seed) => play(lame, seed)?.moved() === true)
    expect(lameMoved, 'without it, it does not').toEqual([])
  })

  it('early messages of the next height are kept, so that fewer views time out', async () => {
    const parked = consensus('message.ts', 'if (isMember) buffer(ctx, from, message)', 'if (isMember) {}')
    // One of three, all of whom are needed, learns that a block is final only from the proposal of the next one.
    const direct = (): Scheduler => ({
      begin() {},
      admits: (_from, to, message) =>
        to.id !== 2 || !['commit', 'commitCertificate'].includes(subjectOfMessage(message).kind),
    })
    const changes = async (patches: readonly Patch[]): Promise<number> => {
      const { simulate } = await variantOf(patches)
      let sum = 0
      for (let seed = 1; seed <= SEEDS; seed++) {
        const scenario = { ...scenarioOf('uniform', seed), ...base, members: 3, transactions: 30 }
        sum += simulate(scenario, undefined, undefined, direct).viewChanges
      }
      return sum
    }
    expect(await changes([parked])).toBeGreaterThan(1.5 * (await changes([])))
  })
})
