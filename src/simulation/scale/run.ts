/** Owns one performance run: validators, clients and links on a virtual clock, and its result. */
import {
  step as consensusStep,
  DEFAULT_PAYLOAD_LIMITS,
  type PayloadLimits,
  type Report,
} from '../../consensus/index.js'
import type { QuorumCertificate } from '../../model/index.js'
import { VirtualClock } from '../clock.js'
import { type Random, randomOf } from '../prng.js'
import { type Content, ScaleChain } from './chain.js'
import type { Costs } from './costs.js'
import { CHANNELS, type Channel, Network, type Packet } from './network.js'
import { ScaleNode, type Surroundings, type Traffic } from './node.js'
import { oneWayMs, roundTripsMs } from './regions.js'
import type { PayloadWay, ScaleScenario } from './scenario.js'
import { type Meter, mean, PHASES, type PhaseName, quantile, Tally } from './tally.js'
import { MessageSizes, WorkTimes } from './work.js'

/**
 * Maximum time after the counted time in which clients continue to submit until all counted transactions are final, in
 * ms.
 */
const DRAIN_MAX_MS = 30_000
/** Interval of checks for the end of a run, in virtual ms. */
const LOOK_MS = 100

/** Utilisation in the counted time: mean over the nodes, and maximum. */
export interface Busy {
  readonly mean: number
  readonly max: number
}

export const RESOURCES = ['main', 'crypto', 'ledger', 'disk', 'uplink'] as const
export type Resource = (typeof RESOURCES)[number]

/** Result of a run; times in virtual ms, shares from 0 to 1. */
export interface ScaleResult {
  readonly validators: number
  readonly medianRoundTripMs: number
  /** Number of counted transactions, and number of counted transactions that never became final because of overload. */
  readonly submitted: number
  readonly unfinished: number
  readonly finalityP50Ms: number
  readonly finalityP99Ms: number
  readonly blocks: number
  readonly blocksPerSecond: number
  readonly transactionsPerSecond: number
  readonly transactionsPerBlock: number
  /** Messages sent by a node per block, by channel, with their bytes on the wire. */
  readonly messagesPerBlock: Readonly<Record<Channel, number>>
  readonly bytesPerBlock: Readonly<Record<Channel, number>>
  readonly proposerBytesUp: number
  readonly proposerBusyShare: number
  readonly viewsLost: number
  /** Mean length of each phase, over nodes and blocks. */
  readonly phasesMs: Readonly<Record<PhaseName, number>>
  readonly busy: Readonly<Record<Resource, Busy>>
}

/** Counters of a node at one moment. */
interface Counters {
  readonly busyMs: Readonly<Record<Resource, number>>
  readonly messages: Readonly<Record<Channel, number>>
  readonly bytes: Readonly<Record<Channel, number>>
}

/** Payload limits with which all payloads are sent in one way, as far as limits allow. */
const limitsOf = (payload: PayloadWay): PayloadLimits => ({
  ...DEFAULT_PAYLOAD_LIMITS,
  directBytes: payload === 'auto' ? DEFAULT_PAYLOAD_LIMITS.directBytes : 0,
  compactBytes: payload === 'chunks' ? 0 : DEFAULT_PAYLOAD_LIMITS.compactBytes,
})

const byName = <K extends string, V>(names: readonly K[], read: (name: K) => V): Record<K, V> =>
  Object.fromEntries(names.map((name) => [name, read(name)])) as Record<K, V>

const rounded = (value: number): number => Math.round(value * 1_000) / 1_000

export class ScaleRun implements Surroundings {
  readonly clock = new VirtualClock()
  readonly chain: ScaleChain
  readonly sizes = new MessageSizes()
  readonly times: WorkTimes
  readonly limits: PayloadLimits
  private readonly nodes: readonly ScaleNode[]
  private readonly network: Network<Traffic>
  private readonly tally: Tally
  private readonly clients: Random
  private readonly untilMs: number
  private atStart: readonly Counters[] = []
  private atEnd: readonly Counters[] = []
  private isOver = false

  /** `step`: step function of the state machine, which a measurement wraps with a timer. */
  constructor(
    private readonly scenario: ScaleScenario,
    costs: Costs,
    readonly step: Surroundings['step'] = consensusStep,
  ) {
    const { seed, validators, latency, bandwidth, warmUpMs, measuredMs } = scenario
    this.chain = new ScaleChain(scenario)
    this.times = new WorkTimes(costs, this.sizes)
    this.limits = limitsOf(scenario.payload)
    this.untilMs = warmUpMs + measuredMs
    this.tally = new Tally(warmUpMs, this.untilMs)
    this.clients = randomOf(seed, 'clients')
    this.network = new Network({
      nodes: validators,
      clock: this.clock,
      bandwidth,
      random: randomOf(seed, 'jitter'),
      oneWayMs: (from, to, random) => oneWayMs(latency, from, to, random),
      deliver: (from, to, packet) => (this.nodes[to] as ScaleNode).receive(from, packet),
    })
    this.nodes = this.chain.keys.map((_, id) => new ScaleNode(id, this, randomOf(seed, `node:${id}`)))
    for (const node of this.nodes) node.start()
    this.clock.after(warmUpMs, () => {
      this.atStart = this.counters()
    })
    this.clock.after(this.untilMs, () => {
      this.atEnd = this.counters()
      this.look()
    })
    this.submitNext()
  }

  get blockTransactions(): number {
    return this.scenario.blockTransactions
  }

  get transactionBytes(): number {
    return this.scenario.transactionBytes
  }

  /** Completed share of the run, for a progress bar. */
  get progress(): number {
    return Math.min(1, this.clock.nowMs / this.untilMs)
  }

  /** Process this many events; false when the run is over. */
  advance(events: number): boolean {
    for (let event = 0; event < events && !this.isOver; event++) this.clock.advance()
    return !this.isOver
  }

  send(from: number, to: number, packet: Packet<Traffic>): void {
    this.network.send(from, to, packet)
  }

  building(node: ScaleNode, height: number): void {
    this.tally.began(node.id, height, this.meter(node))
  }

  committed(node: ScaleNode, content: Content, certificate: QuorumCertificate): void {
    this.tally.committed(node.id, content, certificate, this.meter(node))
  }

  reported(_node: ScaleNode, report: Report): void {
    this.tally.reported(report, this.clock.nowMs)
  }

  private meter(node: ScaleNode): Meter {
    const sent = this.network.sentBy(node.id)
    const bytesUp = sent.consensus.bytes + sent.payload.bytes
    return { atMs: this.clock.nowMs, bytesUp, mainBusyMs: node.main.busyMs }
  }

  /** Submit single transactions at random times to random validators. */
  private submitNext(): void {
    const { rate, validators } = this.scenario
    if (rate === 0) return
    const delayMs = (-Math.log(1 - this.clients.next()) * 1_000) / rate
    this.clock.after(delayMs, () => {
      const transaction = this.chain.submit()
      const node = this.clients.below(validators)
      this.tally.submitted(transaction, node, this.clock.nowMs)
      ;(this.nodes[node] as ScaleNode).submit(transaction)
      this.submitNext()
    })
  }

  /** End the run once all counted transactions are final, or after the maximum time. */
  private look(): void {
    this.isOver = this.tally.finality().open === 0 || this.clock.nowMs >= this.untilMs + DRAIN_MAX_MS
    if (!this.isOver) this.clock.after(LOOK_MS, () => this.look())
  }

  private counters(): Counters[] {
    return this.nodes.map(({ id, main, crypto, ledger, disk }) => {
      const sent = this.network.sentBy(id)
      return {
        busyMs: {
          main: main.busyMs,
          crypto: crypto.busyMs,
          ledger: ledger.busyMs,
          disk: disk.busyMs,
          uplink: this.network.uplinkBusyMs(id),
        },
        messages: byName(CHANNELS, (channel) => sent[channel].messages),
        bytes: byName(CHANNELS, (channel) => sent[channel].bytes),
      }
    })
  }

  /** Differences of a counter over the counted time, by node. */
  private differences(read: (counters: Counters) => number): number[] {
    return this.atEnd.map((end, node) => read(end) - read(this.atStart[node] as Counters))
  }

  result(): ScaleResult {
    const { scenario, tally } = this
    const { validators, latency, measuredMs } = scenario
    const { finalMs, open } = tally.finality()
    const blocks = Math.max(1, tally.blocks)
    const perBlock = (read: (counters: Counters) => number): number => rounded(mean(this.differences(read)) / blocks)
    return {
      validators,
      medianRoundTripMs: quantile(roundTripsMs(latency, validators), 0.5),
      submitted: finalMs.length + open,
      unfinished: open,
      finalityP50Ms: rounded(quantile(finalMs, 0.5)),
      finalityP99Ms: rounded(quantile(finalMs, 0.99)),
      blocks: tally.blocks,
      blocksPerSecond: rounded(tally.blocks / (measuredMs / 1_000)),
      transactionsPerSecond: rounded(tally.transactions / (measuredMs / 1_000)),
      transactionsPerBlock: rounded(tally.transactions / blocks),
      messagesPerBlock: byName(CHANNELS, (channel) => perBlock(({ messages }) => messages[channel])),
      bytesPerBlock: byName(CHANNELS, (channel) => perBlock(({ bytes }) => bytes[channel])),
      proposerBytesUp: rounded(mean(tally.loads.map(({ bytesUp }) => bytesUp))),
      proposerBusyShare: rounded(mean(tally.loads.map(({ busyShare }) => busyShare))),
      viewsLost: tally.viewsLost,
      phasesMs: byName(PHASES, (phase) => {
        const { sumMs, count } = tally.phases.get(phase) ?? { sumMs: 0, count: 0 }
        return count === 0 ? 0 : rounded(sumMs / count)
      }),
      busy: byName(RESOURCES, (resource) => {
        const shares = this.differences(({ busyMs }) => busyMs[resource]).map((spentMs) => spentMs / measuredMs)
        return { mean: rounded(mean(shares)), max: rounded(Math.max(...shares)) }
      }),
    }
  }
}
