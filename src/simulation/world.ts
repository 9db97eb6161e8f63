/** Owns one simulated network: nodes, links with faults, transactions, the heal, and the result. */
import { errorMessage } from '../base/thrown.js'
import {
  type ConsensusMessage,
  consensusMessage,
  type FaultKind,
  faultBudget,
  newRbcStore,
  type PayloadLimits,
  type RbcCounters,
} from '../consensus/index.js'
import { DEFAULT_CONSENSUS_PARAMETERS, type ValidatorKey } from '../model/index.js'
import { firstCommitBoundMs, type PaceAtHeal, settleBoundMs } from './bounds.js'
import type { ChainRules } from './chain-rules.js'
import { InvariantChecker } from './checker.js'
import { VirtualClock } from './clock.js'
import type { SimulatedNode } from './node.js'
import { populate } from './population.js'
import { type Random, randomOf } from './prng.js'
import type { Surroundings } from './role.js'
import { membersMin, type Scenario } from './scenario.js'
import { type Scheduler, type Stage, schedulerOf } from './schedulers/index.js'
import { FAKE_SIGNATURES, type Signatures } from './signatures.js'
import { type Trace, textOf } from './subject.js'

/** Result of a simulation; `fault` describes a failure. */
export interface SimulationResult {
  readonly scheduler: Scenario['scheduler']
  readonly seed: number
  readonly fault: string | undefined
  readonly viewChanges: number
  readonly commits: number
  /** Faults of faulty members that correct nodes could prove. */
  readonly faults: readonly FaultKind[]
  /** Number of processes ended by a full disk. */
  readonly fullDisks: number
  /** Committed blocks in which several lanes took turns. */
  readonly mixedBlocks: number
  /** Counters of large payloads, over the correct nodes since their last start. */
  readonly payloads: Readonly<RbcCounters>
  /** Virtual end of the run in ms. */
  readonly endedAtMs: number
  /** Time from the heal to the first new block in ms, and its bound; undefined if no transaction was outstanding. */
  readonly firstCommit: { readonly tookMs: number; readonly boundMs: number } | undefined
}

/** Share of proposals with a roster change, in scenarios with such changes. */
const CHANGE_RATE = 0.5
/** Share of the other proposals that rotate a key, and the maximum rotations of one peer in a run. */
const ROTATION_RATE = 0.4
const ROTATIONS_MAX = 6
/** Share of proposals with a change of lanes, if there are lanes. */
const LANE_CHANGE_RATE = 0.6
/**
 * Idle time at the end of a run, in ms: pending work must end within it, and then nothing may change for the same time.
 */
const IDLE_SETTLE_MS = 40_000
const IDLE_WATCH_MS = 20_000
/** Maximum time for which a disk stays full, and until a supervisor restarts an ended process, in virtual ms. */
const FULL_DISK_MAX_MS = 2_000
const SUPERVISED_RESTART_MS = 200

/**
 * Number of heights before and from the first height of an epoch at which nodes crash, and the maximum delay after
 * their commit, in ms.
 */
const BOUNDARY_HEIGHTS = 2
const BOUNDARY_CRASH_WITHIN_MS = 30
const BOUNDARY_CRASH_RATE = 0.2
/** Share of these crashes in which all nodes crash at once. */
const BOUNDARY_POWER_RATE = 0.15
/** Maximum events of one run, since a livelock without virtual time is a fault too. */
const EVENTS_MAX = 3_000_000

/** The network of one scenario. */
export class World implements Surroundings<SimulatedNode>, Stage {
  readonly clock = new VirtualClock()
  readonly checker = new InvariantChecker()
  readonly rules: ChainRules
  readonly submitted: number[] = []
  readonly faultyKeys: ReadonlySet<ValidatorKey>
  readonly changeRate: number
  readonly rotationRate: number
  readonly laneChangeRate = LANE_CHANGE_RATE
  readonly random: Random
  readonly nodes: readonly SimulatedNode[]
  private readonly byPeer = new Map<ValidatorKey, SimulatedNode[]>()
  private readonly checked: readonly SimulatedNode[]
  private readonly net: Random
  private readonly scheduler: Scheduler
  private readonly faults: number
  private healed = false
  private fullDisksMet = 0
  private pace: PaceAtHeal | undefined
  private heightAtHeal = 1
  private outstandingAtHeal = 0
  private boundaryCrashes: number
  private firstAfterHealMs: number | undefined
  private lastEncoded: { readonly message: ConsensusMessage; readonly decoded: ConsensusMessage } | undefined

  constructor(
    readonly scenario: Scenario,
    private readonly trace?: Trace,
    signatures: Signatures = FAKE_SIGNATURES,
    direct: (stage: Stage) => Scheduler = (stage) => schedulerOf(scenario.scheduler, stage),
  ) {
    const { seed, faulty, members } = scenario
    this.net = randomOf(seed, 'net')
    this.random = randomOf(seed, 'schedule')
    this.changeRate = scenario.rosterChanges ? CHANGE_RATE : 0
    this.rotationRate = scenario.rotations ? ROTATION_RATE : 0
    this.boundaryCrashes = scenario.boundaryCrashes
    const rotations = scenario.rotations ? ROTATIONS_MAX : 0
    const keys = Array.from({ length: members + scenario.observers }, (_, index) =>
      Array.from({ length: rotations + 1 }, (_, rotation) => signatures.keyOf(index, rotation)),
    )
    const universe = keys.map(([first = '']) => first)
    this.rules = {
      signatures,
      universe,
      keys: new Map(keys.map((own) => [own[0] ?? '', own])),
      members,
      // An abstaining member counts as a faulty one until it votes again.
      epochLength: scenario.epochLength,
      membersMin: membersMin(
        faulty.length +
          scenario.lostLogs +
          scenario.lostDisks +
          (scenario.deadNewcomer ? 1 : 0) +
          (scenario.oldProcess ? 1 : 0),
      ),
      withholders: new Set(faulty.flatMap((one) => keys[one.member] ?? [])),
      lanes: scenario.lanes,
      parameters: {
        ...DEFAULT_CONSENSUS_PARAMETERS,
        collectorsK: scenario.collectorsK,
        dataAvailability: scenario.dataAvailability,
        phases: scenario.phases,
      },
    }
    this.faults = faultBudget(universe.length)
    this.faultyKeys = this.rules.withholders
    this.nodes = populate(scenario, this)
    this.checked = this.nodes.filter((node) => node.role.kind === 'honest')
    for (const node of this.nodes) this.byPeer.set(node.peer, [...(this.byPeer.get(node.peer) ?? []), node])
    this.scheduler = direct(this)
  }

  get payloads(): PayloadLimits {
    return this.scenario.payloads
  }

  get slowExecutionRate(): number {
    return this.healed ? 0 : this.scenario.slowExecutionRate
  }

  get lateTimeRate(): number {
    return this.healed ? 0 : this.scenario.lateTimeRate
  }

  get firstStart(): boolean {
    return this.scenario.firstStart
  }

  isHealed(): boolean {
    return this.healed
  }

  /** Run to the end; an exception thrown by an invariant is a result too. */
  run(): SimulationResult {
    try {
      return this.result(this.play())
    } catch (error) {
      return this.result(errorMessage(error))
    }
  }

  private play(): string | undefined {
    const { scenario, clock } = this
    this.scheduleTransactions()
    clock.after(scenario.healAtMs, () => this.heal())
    for (const node of this.nodes) node.start()
    if (scenario.healAtMs > 0) this.scheduler.begin()
    this.scheduleFullDisks()
    for (let events = 0; !this.done(); events++) {
      const late = this.late()
      if (late !== undefined) return `${late}: ${this.describe()}`
      if (events >= EVENTS_MAX) return `${EVENTS_MAX} events without progress: ${this.describe()}`
      if (!clock.advance()) return `no event left: ${this.describe()}`
    }
    // The vote of a single member must have no effect on an idle network.
    const isQuiet = scenario.faulty.every(({ behaviour }) => behaviour === 'loneVotes')
    return scenario.idleCheck && isQuiet ? this.idle() : undefined
  }

  /** Invariant 15: without work no view changes, however long the network is idle. */
  private idle(): string | undefined {
    const run = (forMs: number): number => {
      const before = this.checker.viewChanges
      const untilMs = this.clock.nowMs + forMs
      while (this.clock.nowMs < untilMs && this.clock.advance());
      return this.checker.viewChanges - before
    }
    run(IDLE_SETTLE_MS)
    const changes = run(IDLE_WATCH_MS)
    return changes === 0 ? undefined : `${changes} view changes in an idle network: ${this.describe()}`
  }

  private result(fault: string | undefined): SimulationResult {
    const { scenario, pace, firstAfterHealMs } = this
    const firstCommit =
      pace === undefined || firstAfterHealMs === undefined
        ? undefined
        : { tookMs: firstAfterHealMs, boundMs: firstCommitBoundMs(pace, this.rules.parameters, this.faults) }
    return {
      scheduler: scenario.scheduler,
      seed: scenario.seed,
      fault,
      viewChanges: this.checker.viewChanges,
      commits: this.checker.commits,
      faults: [...this.checker.faults].sort(),
      fullDisks: this.fullDisksMet,
      mixedBlocks: this.checker.lanes.mixed,
      payloads: this.countPayloads(),
      endedAtMs: this.clock.nowMs,
      firstCommit,
    }
  }

  private countPayloads(): RbcCounters {
    const { counters: sum } = newRbcStore(this.scenario.payloads)
    for (const { state } of this.checked) {
      if (state === undefined) continue
      for (const [name, count] of Object.entries(state.rbc.counters)) sum[name as keyof RbcCounters] += count
    }
    return sum
  }

  private scheduleTransactions(): void {
    const { scenario, net } = this
    for (let number = 0; number < scenario.transactions; number++) {
      const atMs = net.chance(0.5) ? 0 : net.next() * (scenario.healAtMs + 2_000)
      this.clock.after(atMs, () => {
        this.submitted.push(number)
        for (const node of this.nodes) {
          // A lost announcement is repeated after two seconds (docs/design/consensus.md 6).
          const lost = this.clock.nowMs < scenario.healAtMs && net.chance(0.2)
          this.clock.after((lost ? 2_000 : 0) + net.next() * 50, () => node.receiveTransaction(number))
        }
      })
    }
  }

  private scheduleFullDisks(): void {
    const { scenario, nodes, clock } = this
    const random = randomOf(scenario.seed, 'full disks at')
    for (let time = 0; time < scenario.fullDisks; time++) {
      const node = random.pick(nodes)
      clock.after(random.next() * scenario.healAtMs, () => {
        if (this.healed) return
        node.setDiskFull(true)
        clock.after(random.next() * FULL_DISK_MAX_MS, () => node.setDiskFull(false))
      })
    }
  }

  /** Handle a full disk: the content of the log is kept, and a supervisor restarts the process repeatedly. */
  diskFull(node: SimulatedNode): void {
    this.trace?.(`${this.clock.nowMs.toFixed(1)} disk of ${node.id} full`)
    this.fullDisksMet += 1
    this.restart(node, SUPERVISED_RESTART_MS)
  }

  private heal(): void {
    this.trace?.(`${this.clock.nowMs.toFixed(1)} HEAL ${this.describe()}`)
    this.healed = true
    for (const node of this.nodes) node.setDiskFull(false)
    for (const node of this.nodes) if (!node.isUp) node.start()
    let pacemaker = { heightMs: 0, baseExponent: 0 }
    let view = 0
    for (const { state } of this.checked) {
      if (state === undefined) continue
      view = Math.max(view, state.view)
      pacemaker = {
        heightMs: Math.max(pacemaker.heightMs, state.pacemaker.heightMs),
        baseExponent: Math.max(pacemaker.baseExponent, state.pacemaker.baseExponent),
      }
    }
    this.pace = { pacemaker, view }
    this.heightAtHeal = this.checker.best.height
    this.outstandingAtHeal = this.outstanding()
  }

  /** Number of transactions that are not yet in the chain of any correct node. */
  private outstanding(): number {
    const most = Math.max(...this.checked.map((node) => node.chain.state.transactions.size))
    return this.submitted.length - most
  }

  /** Invariant 16: description of overdue progress, or undefined. */
  private late(): string | undefined {
    const { pace } = this
    if (pace === undefined) return undefined
    const sinceMs = this.clock.nowMs - this.scenario.healAtMs
    if (this.firstAfterHealMs === undefined && this.outstandingAtHeal > 0) {
      if (this.checker.best.height > this.heightAtHeal) this.firstAfterHealMs = sinceMs
      else if (sinceMs > firstCommitBoundMs(pace, this.rules.parameters, this.faults)) {
        return `no commit within ${Math.round(sinceMs)} ms after the heal`
      }
    }
    // Transactions may still be submitted for two seconds; at worst each needs a height of its own.
    const heights = this.scenario.transactions
    return sinceMs > settleBoundMs(pace, this.rules.parameters, this.faults, heights)
      ? 'not settled in time'
      : undefined
  }

  /** Invariant 14: every transaction is in the chain of every node; execution refuses duplicates. */
  private done(): boolean {
    if (!this.healed || this.submitted.length < this.scenario.transactions) return false
    const height = this.checked[0]?.chain.height
    return this.checked.every(
      (node) =>
        node.isUp && node.chain.height === height && node.chain.state.transactions.size === this.submitted.length,
    )
  }

  private describe(): string {
    return this.nodes
      .map(({ id, role, state, chain }) => {
        const where = state === undefined ? 'down' : `h${chain.height + 1} v${state.view}`
        return `${id}${role.kind === 'honest' ? '' : ` ${role.kind}`} ${where}`
      })
      .join(', ')
  }

  restart(node: SimulatedNode, downMs: number, loss?: 'voteLog' | 'dataDirectory'): void {
    if (!node.isUp) return
    this.trace?.(`${this.clock.nowMs.toFixed(1)} crash ${node.id}${loss === undefined ? '' : `, ${loss} lost`}`)
    if (loss !== undefined) node.wipe(loss)
    else node.crash()
    this.clock.after(downMs, () => {
      if (!node.isUp) node.start()
    })
  }

  committed(node: SimulatedNode): void {
    this.trace?.(`${this.clock.nowMs.toFixed(1)} ${node.id} committed ${node.chain.height}`)
    if (this.healed) return
    this.scheduler.committed?.(node)
    this.crashAtBoundary(node)
  }

  /** Crash a node that commits near an epoch boundary, or all nodes. */
  private crashAtBoundary(node: SimulatedNode): void {
    const { epochs, height } = node.chain.state
    if (this.boundaryCrashes === 0 || epochs === undefined) return
    const { start } = epochs.next ?? epochs.current
    if (Math.abs(height - start) > BOUNDARY_HEIGHTS || !this.net.chance(BOUNDARY_CRASH_RATE)) return
    this.boundaryCrashes -= 1
    const isPowerFailure = this.net.chance(BOUNDARY_POWER_RATE)
    this.clock.after(this.net.next() * BOUNDARY_CRASH_WITHIN_MS, () => {
      if (this.healed) return
      for (const one of isPowerFailure ? this.nodes : [node]) this.restart(one, 10 + this.net.next() * 1_000)
    })
  }

  /**
   * Deliver a message to a peer with the faults of the scenario. It is sent as bytes, so that no memory is shared with
   * the sender.
   */
  send(from: SimulatedNode, to: ValidatorKey, message: ConsensusMessage): void {
    const { net, scenario, healed } = this
    for (const node of this.byPeer.get(to) ?? []) {
      if (!healed && (net.chance(scenario.dropRate) || !this.scheduler.admits(from, node, message))) continue
      const copies = !healed && net.chance(scenario.duplicateRate) ? 2 : 1
      const decoded = this.decoded(message)
      for (let copy = 0; copy < copies; copy++) {
        const delayMs = 0.2 + net.next() * 4 + (!healed && net.chance(0.05) ? net.next() * 500 : 0)
        this.clock.after(delayMs, () => {
          this.trace?.(`${this.clock.nowMs.toFixed(1)} ${from.id} -> ${node.id} ${textOf(decoded)}`)
          node.receive(from.peer, decoded)
        })
      }
    }
  }

  /** The message decoded from its bytes; one decoding serves all receivers of a broadcast. */
  private decoded(message: ConsensusMessage): ConsensusMessage {
    if (this.lastEncoded?.message === message) return this.lastEncoded.decoded
    const result = consensusMessage.decode(consensusMessage.encode(message))
    if (!result.ok) throw new Error(`an own message does not decode: ${result.fault.message}`)
    this.lastEncoded = { message, decoded: result.value }
    return result.value
  }
}
