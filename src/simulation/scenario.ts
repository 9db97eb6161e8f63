/** Owns the scenario of one run; all its values are drawn from the seed before the first event. */
import { committeeSize, DEFAULT_PAYLOAD_LIMITS, faultBudget, type PayloadLimits } from '../consensus/index.js'
import type { PhaseTimes } from '../model/index.js'
import {
  BEHAVIOUR_NAMES,
  type BehaviourName,
  HOSTILE_BEHAVIOUR_NAMES,
  LANE_BEHAVIOUR_NAMES,
  PAYLOAD_BEHAVIOUR_NAMES,
} from './byzantine/index.js'
import { type Random, randomOf } from './prng.js'

export const SCHEDULER_NAMES = ['uniform', 'cuts', 'hidden-commit'] as const
/** A family of network faults. */
export type SchedulerName = (typeof SCHEDULER_NAMES)[number]

/** Byzantine member: its number among the first validators, and its behaviour. */
export interface FaultyMember {
  readonly member: number
  readonly behaviour: BehaviourName
}

/** Minimum validators with this many faults within their budget. */
export const membersMin = (faults: number): number => (faults === 0 ? 1 : 3 * faults + 1)

/** Parameters of one run. */
export interface Scenario {
  readonly scheduler: SchedulerName
  readonly seed: number
  /** Validators at genesis, 1 to 10. */
  readonly members: number
  /** Further nodes that start as observers and may become validators. */
  readonly observers: number
  readonly faulty: readonly FaultyMember[]
  /** Transactions that must be committed on all nodes at the end. */
  readonly transactions: number
  /** True if blocks propose joins and leaves. */
  readonly rosterChanges: boolean
  /** True if blocks rotate the keys of members. */
  readonly rotations: boolean
  /** True if transactions initially run in three lanes, and lanes are added, renamed and retired. */
  readonly lanes: boolean
  /** Heights of an epoch, each with its own roster; undefined for one open epoch. */
  readonly epochLength: number | undefined
  /** True if the last of the further nodes never runs; it may be elected like the others. */
  readonly deadNewcomer: boolean
  /**
   * True if one correct member runs two processes: one with its first key and every second key after it, one with the
   * others.
   */
  readonly oldProcess: boolean
  /** True if one correct member runs two nodes that both act for it, over one signer. */
  readonly sharedSigner: boolean
  /** Durations of phases, as with elected validators. */
  readonly phases: PhaseTimes | undefined
  /** Number of crashes of nodes that commit one of the last or first heights of an epoch. */
  readonly boundaryCrashes: number
  /** 0 for auto. */
  readonly collectorsK: number
  /** Virtual time until which faults happen; afterwards the network is whole. */
  readonly healAtMs: number
  /** Number of crashes before the heal, over all nodes. */
  readonly crashes: number
  /** Number of power failures of the whole cluster before the heal. */
  readonly powerFailures: number
  /** Number of vote logs lost before the heal; their nodes abstain until the lost votes can no longer matter. */
  readonly lostLogs: number
  /**
   * Number of whole data directories lost before the heal; their nodes sync from genesis and abstain in the same way.
   */
  readonly lostDisks: number
  /**
   * True if nodes start without a vote log and without a declaration of the operator; they wait for a quorum at
   * genesis.
   */
  readonly firstStart: boolean
  /**
   * Number of times before the heal at which the disk of a node is full for a while: its log cannot be written, and the
   * node ends.
   */
  readonly fullDisks: number
  /** Processor time of a block in virtual ms by node number; repeated from the first if there are more nodes. */
  readonly blockCostsMs: readonly number[]
  /** Share of the nodes with slow syncs before the heal. */
  readonly slowDiskRate: number
  /** Share of the blocks with slow execution before the heal, so that their view may pass meanwhile. */
  readonly slowExecutionRate: number
  /** Share of the executions before the heal whose block is too late for the clock of the node. */
  readonly lateTimeRate: number
  readonly dropRate: number
  /** Limits of payloads, scaled down for runs in which payloads count as large. */
  readonly payloads: PayloadLimits
  readonly dataAvailability: boolean
  readonly duplicateRate: number
  /** True to watch the idle network for a while after everything is committed. */
  readonly idleCheck: boolean
}

/** Roster sizes, weighted by repetition. With f = 1 faults matter and runs are short; 5 and 6 have standby members. */
const SIZES = [1, 2, 3, 4, 4, 4, 4, 5, 6, 6, 7, 7, 8, 9, 10] as const
/** Roster sizes of directed schedules, in which two quorums can differ. */
const DIRECTED_SIZES = [4, 4, 4, 4, 4, 5, 6, 7, 7, 10] as const

/** Behaviours for directed schedules: members that use the hidden messages. */
const DIRECTED_BEHAVIOURS: readonly BehaviourName[] = [
  'missingCertificate',
  'missingCertificate',
  'wrongMaximum',
  'wrongMaximum',
  'staleTimeouts',
  'equivocatingProposer',
  'twins',
]

function drawFaulty(random: Random, members: number, directed: boolean): FaultyMember[] {
  const budget = faultBudget(members)
  const count = random.chance(0.7) ? random.below(budget + 1) || Math.min(1, budget) : 0
  const left = Array.from({ length: members }, (_, member) => member)
  return Array.from({ length: count }, () => {
    const [member = 0] = left.splice(random.below(left.length), 1)
    return { member, behaviour: random.pick(directed && random.chance(0.7) ? DIRECTED_BEHAVIOURS : BEHAVIOUR_NAMES) }
  })
}

/** Latest heal of a single height, in virtual ms: a handful of views. */
const SINGLE_HEIGHT_HEAL_MS = 4_000
/** Share of the runs in which one member loses its vote log, if the budget allows it. */
const LOST_LOG_RATE = 0.3
/** Share of these runs in which it loses the whole data directory. */
const LOST_DISK_SHARE = 0.4
/** Share of the runs with hostile faulty members, and of the runs that start without a declaration. */
const HOSTILE_RATE = 0.25
const FIRST_START_RATE = 0.5
/** Share of the runs with a late heal, so that views and timeouts grow to the end of the backoff. */
const DEEP_RATE = 0.03
const DEEP_FACTOR = 15
const DEEP_DROP_RATE = 0.7

/** End of the faults in virtual ms; directed schedules need some failed views before and after the hidden one. */
const healTime = (random: Random, directed: boolean): number =>
  directed ? 3_000 + random.below(4_000) : 1_000 + random.below(9_000)

/** Losses of logs and disks. A member without its log abstains, which counts as a fault and must fit the budget. */
function losses(seed: number, members: number, faulty: number): Pick<Scenario, 'lostLogs' | 'lostDisks'> {
  const random = randomOf(seed, 'lost logs')
  if (faulty >= faultBudget(members) || !random.chance(LOST_LOG_RATE)) return { lostLogs: 0, lostDisks: 0 }
  return random.chance(LOST_DISK_SHARE) ? { lostLogs: 0, lostDisks: 1 } : { lostLogs: 1, lostDisks: 0 }
}

/** Replace most faulty members, in a share of the runs, by members that attack the limits and checks of hardening. */
function hostile(seed: number, faulty: readonly FaultyMember[], directed: boolean): FaultyMember[] {
  const random = randomOf(seed, 'hostile')
  if (!random.chance(directed ? HOSTILE_RATE / 4 : HOSTILE_RATE)) return [...faulty]
  return faulty.map((one) => (random.chance(0.8) ? { ...one, behaviour: random.pick(HOSTILE_BEHAVIOUR_NAMES) } : one))
}

/** Share of the runs with key rotations, mainly while a member abstains and counts peers over such changes. */
const ROTATION_RATE = 0.1
const ROTATION_RATE_OF_LOSSES = 0.5
/** Share of the runs with slow executions. */
const SLOW_EXECUTION_RATE = 0.15

const hasRotations = (seed: number, lost: number): boolean =>
  randomOf(seed, 'rotations').chance(lost > 0 ? ROTATION_RATE_OF_LOSSES : ROTATION_RATE)

function slowExecutionRate(seed: number): number {
  const random = randomOf(seed, 'slow executions')
  return random.chance(SLOW_EXECUTION_RATE) ? random.next() : 0
}

/** Share of the runs with slow clocks, and their maximum rate; a quorum must sometimes accept the time of a block. */
const LATE_TIME_RUNS = 0.15
const LATE_TIME_MAX = 0.6

function lateTimeRate(seed: number): number {
  const random = randomOf(seed, 'late times')
  return random.chance(LATE_TIME_RUNS) ? random.next() * LATE_TIME_MAX : 0
}

/**
 * Block costs, in ms: of a proposer that never waits, of usual proposers, and of a proposer that waits as long as
 * permitted.
 */
const BLOCK_COSTS_MS = [0, 4, 15, 10_000] as const
/** Share of the runs in which no proposer waits. */
const UNPACED_RATE = 0.5

function blockCosts(seed: number): number[] {
  const random = randomOf(seed, 'block costs')
  if (random.chance(UNPACED_RATE)) return [0]
  return Array.from({ length: 4 }, () => random.pick(BLOCK_COSTS_MS))
}

/** Share of the runs with full disks, and the maximum number of full disks. */
const FULL_DISK_RATE = 0.15
const FULL_DISKS_MAX = 3

function fullDisks(seed: number): number {
  const random = randomOf(seed, 'full disks')
  return random.chance(FULL_DISK_RATE) ? 1 + random.below(FULL_DISKS_MAX) : 0
}

/**
 * Part of the scenario that is drawn: all of it; one transaction and so one height, for counts in the millions; all of
 * it with lanes, or with epochs.
 */
export const SLICE_NAMES = ['full', 'single-height', 'lanes', 'epochs', 'signer'] as const
export type SliceName = (typeof SLICE_NAMES)[number]

/**
 * Share of the runs in which even these small payloads count as large, to be proposed by hashes or broadcast in chunks.
 */
const LARGE_PAYLOADS_RATE = 0.4

/** Payload limits so small that a body of some hundred bytes reaches them. */
function payloadsOf(random: Random): Pick<Scenario, 'payloads' | 'dataAvailability'> {
  const dataAvailability = random.chance(0.15)
  if (!random.chance(LARGE_PAYLOADS_RATE)) return { payloads: DEFAULT_PAYLOAD_LIMITS, dataAvailability }
  const tight = random.chance(0.3)
  return {
    dataAvailability,
    payloads: {
      directBytes: random.pick([0, 16, 250]),
      compactBytes: random.pick([0, 1_000_000]),
      recordsPerRequest: random.pick([1, 8]),
      chunkBytes: random.pick([24, 64, 128]),
      chunksPerSession: random.pick([4, 16, 1_024]),
      chunksPerRequest: random.pick([1, 4, 64]),
      fanout: random.pick([0, 0, 1, 2]),
      sessions: random.pick([2, 3, 8]),
      ttlMs: random.pick([500, 30_000]),
      stashMessages: random.pick([1, 8, 128]),
      storeSoftBytes: tight ? 150 : 100_000,
      storeHardBytes: tight ? 300 : 200_000,
    },
  }
}

/**
 * Replace most faulty members in runs with large payloads by members that attack payloads; directed schedules keep
 * their own behaviours.
 */
function faultyPayloads(seed: number, faulty: readonly FaultyMember[], directed: boolean): FaultyMember[] {
  const random = randomOf(seed, 'payload liars')
  return faulty.map((one) =>
    random.chance(directed ? 0.2 : 0.7) ? { ...one, behaviour: random.pick(PAYLOAD_BEHAVIOUR_NAMES) } : one,
  )
}

/** Scenario of a seed under a scheduler. */
export function scenarioOf(scheduler: SchedulerName, seed: number, slice: SliceName = 'full'): Scenario {
  const full = fullScenario(scheduler, seed)
  switch (slice) {
    case 'full':
      return full
    case 'lanes':
      return withLanes(full)
    case 'epochs':
      return withEpochs(full)
    case 'single-height':
      return singleHeight(full)
    case 'signer':
      // Nodes of one peer have no link with each other: another node must have the blocks for them.
      return { ...full, sharedSigner: true, members: Math.max(full.members, 2) }
  }
}

/** Heights of a modelled epoch, few so that a run crosses several boundaries. */
const EPOCH_LENGTHS = [4, 5, 7, 10] as const
/** Minimum transactions of a run with epochs. */
const EPOCH_TRANSACTIONS_MIN = 14
const EPOCH_TRANSACTIONS_SPREAD = 26

/**
 * Shares of the runs with a newcomer that never runs, with as many further nodes as members, and with an old process
 * that still runs.
 */
const DEAD_NEWCOMER_RATE = 0.25
const FULL_SWAP_RATE = 0.2
/** Maximum number of members that can be replaced completely, since rosters become as large as both groups together. */
const FULL_SWAP_MEMBERS_MAX = 5
const OLD_PROCESS_RATE = 0.4
/** Share of the runs whose phases have durations, and these durations. */
const PHASES_RATE = 0.6
const PHASE_TIMES: PhaseTimes = { propose: 300, payload: 250, execute: 150, prepare: 150, commit: 150 }
/** Maximum crashes around boundaries of a rough run. */
const BOUNDARY_CRASHES_MAX = 4

/**
 * Add epochs to a scenario; nodes outside of the first roster start as observers. Nodes that lost a log abstain while
 * rosters change.
 */
function withEpochs(scenario: Scenario): Scenario {
  const random = randomOf(scenario.seed, `epochs:${scenario.scheduler}`)
  const { members, faulty } = scenario
  const rotations = random.chance(0.5)
  const deadNewcomer = random.chance(DEAD_NEWCOMER_RATE)
  const others = members <= FULL_SWAP_MEMBERS_MAX && random.chance(FULL_SWAP_RATE) ? members : 1 + random.below(4)
  // A member that never runs is one more fault: rosters are larger then, and need the nodes for it.
  const least = membersMin(faulty.length + (deadNewcomer ? 1 : 0))
  // A peer with two processes responds twice, also with data that one of them does not have yet, so it counts as a
  // faulty one.
  const spare = membersMin(faulty.length + (deadNewcomer ? 2 : 1))
  const oldProcess = rotations && members >= spare && random.chance(OLD_PROCESS_RATE)
  return {
    ...scenario,
    epochLength: random.pick(EPOCH_LENGTHS),
    observers: Math.max(others, deadNewcomer ? least - members : 0),
    transactions: EPOCH_TRANSACTIONS_MIN + random.below(EPOCH_TRANSACTIONS_SPREAD),
    rosterChanges: random.chance(0.5),
    rotations,
    deadNewcomer,
    oldProcess,
    boundaryCrashes: scenario.healAtMs > 0 ? random.below(BOUNDARY_CRASHES_MAX + 1) : 0,
    phases: random.chance(PHASES_RATE) ? PHASE_TIMES : undefined,
    lostLogs: 0,
    lostDisks: 0,
    firstStart: false,
  }
}

/**
 * Minimum transactions of a run with lanes, enough for many heights, so that changes take effect and blocks are full.
 */
const LANE_TRANSACTIONS_MIN = 10
const LANE_TRANSACTIONS_SPREAD = 25
/** Share of the faulty members that attack lanes. */
const FAULTY_LANES_RATE = 0.5

function withLanes(scenario: Scenario): Scenario {
  const random = randomOf(scenario.seed, `lanes:${scenario.scheduler}`)
  return {
    ...scenario,
    lanes: true,
    transactions: LANE_TRANSACTIONS_MIN + random.below(LANE_TRANSACTIONS_SPREAD),
    faulty: scenario.faulty.map((one) =>
      random.chance(FAULTY_LANES_RATE) ? { ...one, behaviour: random.pick(LANE_BEHAVIOUR_NAMES) } : one,
    ),
  }
}

/** Scenario with all faults that are possible within one height, without faults that require several heights. */
function singleHeight(scenario: Scenario): Scenario {
  return {
    ...scenario,
    observers: 0,
    transactions: 1,
    rosterChanges: false,
    rotations: false,
    lostLogs: 0,
    lostDisks: 0,
    idleCheck: false,
    healAtMs: Math.min(scenario.healAtMs, SINGLE_HEIGHT_HEAL_MS),
  }
}

function fullScenario(scheduler: SchedulerName, seed: number): Scenario {
  const random = randomOf(seed, `scenario:${scheduler}`)
  const directed = scheduler === 'hidden-commit'
  const rough = directed || random.chance(0.9)
  const members = random.pick<number>(directed ? DIRECTED_SIZES : SIZES)
  const uniform = scheduler === 'uniform'
  const deep = !directed && randomOf(seed, 'deep').chance(DEEP_RATE)
  const observers = random.chance(0.3) ? 1 + random.below(2) : 0
  const faulty = rough ? drawFaulty(random, members, directed) : []
  const payloads = payloadsOf(randomOf(seed, `payloads:${scheduler}`))
  const transactions = 1 + random.below(directed ? 4 : 8)
  const rosterChanges = random.chance(directed ? 0.1 : 0.25)
  const lost = rough ? losses(seed, members, faulty.length) : { lostLogs: 0, lostDisks: 0 }
  return {
    scheduler,
    seed,
    members,
    observers,
    faulty: hostile(
      seed,
      payloads.payloads === DEFAULT_PAYLOAD_LIMITS ? faulty : faultyPayloads(seed, faulty, directed),
      directed,
    ),
    transactions,
    rosterChanges,
    rotations: hasRotations(seed, lost.lostLogs + lost.lostDisks),
    lanes: false,
    epochLength: undefined,
    deadNewcomer: false,
    oldProcess: false,
    sharedSigner: false,
    phases: undefined,
    boundaryCrashes: 0,
    ...lost,
    // A late node abstains like a faulty member, and any number of standby members may be late: that needs a
    // declaration.
    firstStart:
      faulty.length + lost.lostLogs + lost.lostDisks === 0 &&
      !rosterChanges &&
      members === committeeSize(members) &&
      randomOf(seed, 'first start').chance(FIRST_START_RATE),
    collectorsK: committeeSize(members) > 4 && random.chance(0.2) ? faultBudget(members) + 1 : 0,
    healAtMs: rough ? healTime(random, directed) * (deep ? DEEP_FACTOR : 1) : 0,
    crashes: rough ? random.below(uniform ? 7 : 4) : 0,
    powerFailures: rough && random.chance(uniform ? 0.25 : 0.1) ? 1 : 0,
    fullDisks: rough ? fullDisks(seed) : 0,
    blockCostsMs: blockCosts(seed),
    slowDiskRate: rough && random.chance(0.3) ? random.next() : 0,
    slowExecutionRate: rough ? slowExecutionRate(seed) : 0,
    lateTimeRate: rough ? lateTimeRate(seed) : 0,
    ...payloads,
    dropRate: rough ? random.next() * (uniform ? 0.3 : 0.05) + (deep ? DEEP_DROP_RATE : 0) : 0,
    duplicateRate: rough ? random.next() * 0.2 : 0,
    idleCheck: random.chance(0.1),
  }
}
