/** Owns one simulated network: nodes, links with faults, the judge that watches every invariant it can see from outside. */
import {
  type ConsensusMessage,
  consensusMessage,
  type DurableRecord,
  hashKey,
  type Report,
  sortRoster,
} from '../consensus/index.js'
import type { CertifiedHeader, ValidatorKey } from '../model/index.js'
import { VirtualClock } from './clock.js'
import { SimulatedNode, type Surroundings } from './node.js'
import { type Random, randomOf } from './prng.js'
import { fakeKey } from './signatures.js'

/** What one run does. */
export interface Scenario {
  readonly seed: number
  readonly members: number
  /** Blocks that every node must have committed at the end. */
  readonly heights: number
  /** Faults happen before this virtual time; afterwards the network is whole. */
  readonly healAtMs: number
  /** Crashes before the heal, over all nodes. */
  readonly crashes: number
  /** Power failures of the whole cluster before the heal. */
  readonly powerFailures: number
  readonly dropRate: number
  readonly duplicateRate: number
}

/** What came out; `fault` says what went wrong. */
export interface Verdict {
  readonly seed: number
  readonly fault: string | undefined
  readonly viewChanges: number
  readonly endedAtMs: number
}

/** Virtual time after the heal within which every node must have caught up (design/consensus.md 12, invariant 16, generously). */
const SETTLE_MS = 600_000

/** The network of one scenario. */
export class World implements Surroundings {
  readonly clock = new VirtualClock()
  private readonly nodes = new Map<ValidatorKey, SimulatedNode>()
  private readonly chosen = new Map<number, string>()
  private readonly votes = new Map<string, string>()
  private readonly net: Random
  private readonly faults: Random
  private cut: ReadonlySet<ValidatorKey> = new Set()
  private healed = false
  private viewChanges = 0

  constructor(private readonly scenario: Scenario) {
    this.net = randomOf(scenario.seed, 'net')
    this.faults = randomOf(scenario.seed, 'faults')
    const roster = sortRoster(Array.from({ length: scenario.members }, (_, index) => fakeKey(index)))
    for (const key of roster) {
      this.nodes.set(key, new SimulatedNode(key, roster, this, randomOf(scenario.seed, `node:${roster.indexOf(key)}`)))
    }
  }

  /** Work is there until every node has all blocks. */
  hasWork(node: SimulatedNode): boolean {
    return node.height <= this.scenario.heights
  }

  /** Runs to the end; an exception of an invariant is a verdict too. */
  run(): Verdict {
    try {
      for (const node of this.nodes.values()) node.start()
      this.scheduleFaults()
      const deadlineMs = this.scenario.healAtMs + SETTLE_MS
      while (!this.done()) {
        if (this.clock.nowMs > deadlineMs) return this.verdict(`stalled at ${this.describe()}`)
        if (!this.clock.advance()) return this.verdict(`nothing left to happen at ${this.describe()}`)
      }
      return this.verdict(undefined)
    } catch (error) {
      return this.verdict(error instanceof Error ? error.message : String(error))
    }
  }

  private verdict(fault: string | undefined): Verdict {
    return { seed: this.scenario.seed, fault, viewChanges: this.viewChanges, endedAtMs: this.clock.nowMs }
  }

  private done(): boolean {
    return this.healed && [...this.nodes.values()].every((node) => node.isUp && node.height > this.scenario.heights)
  }

  private describe(): string {
    return [...this.nodes.values()].map((node) => `h${node.height + 1} v${node.view}`).join(', ')
  }

  private scheduleFaults(): void {
    const { scenario, faults } = this
    const nodes = [...this.nodes.values()]
    for (let count = 0; count < scenario.crashes; count++) {
      const node = faults.pick(nodes)
      this.clock.after(faults.next() * scenario.healAtMs, () => this.restart(node, 10 + faults.next() * 3_000))
    }
    for (let count = 0; count < scenario.powerFailures; count++) {
      this.clock.after(faults.next() * scenario.healAtMs, () => {
        for (const node of nodes) this.restart(node, 10 + faults.next() * 500)
      })
    }
    const shuffleCut = (): void => {
      if (this.healed) return
      this.cut = new Set(faults.chance(0.5) ? [] : nodes.filter(() => faults.chance(0.4)).map((node) => node.key))
      this.clock.after(100 + faults.next() * 2_000, shuffleCut)
    }
    shuffleCut()
    this.clock.after(scenario.healAtMs, () => {
      this.healed = true
      this.cut = new Set()
    })
  }

  private restart(node: SimulatedNode, downMs: number): void {
    if (!node.isUp) return
    node.crash()
    this.clock.after(downMs, () => {
      if (!node.isUp) node.start()
    })
  }

  /** Carries a message with the faults of the scenario; bytes travel, so nobody shares memory. */
  send(from: ValidatorKey, to: ValidatorKey, message: ConsensusMessage): void {
    const { net, scenario } = this
    const lossy = !this.healed
    if (lossy && (this.cut.has(from) !== this.cut.has(to) || net.chance(scenario.dropRate))) return
    const bytes = consensusMessage.encode(message)
    const copies = lossy && net.chance(scenario.duplicateRate) ? 2 : 1
    for (let copy = 0; copy < copies; copy++) {
      const delayMs = 0.2 + net.next() * 4 + (lossy && net.chance(0.05) ? net.next() * 500 : 0)
      this.clock.after(delayMs, () => {
        const decoded = consensusMessage.decode(bytes)
        if (!decoded.ok) throw new Error(`a message of ours does not decode: ${decoded.fault.message}`)
        this.nodes.get(to)?.receive(from, decoded.value)
      })
    }
  }

  /** Invariant 1: one committed hash per height. */
  committed(_by: ValidatorKey, certified: CertifiedHeader): void {
    const { height, blockHash } = certified.certificate
    const hash = hashKey(blockHash)
    const before = this.chosen.get(height)
    if (before !== undefined && before !== hash) throw new Error(`FORK at height ${height}`)
    this.chosen.set(height, hash)
  }

  /** Invariant 3: per key one prepare, commit, proposal, timeout per (height, view), across restarts. */
  checkRecords(by: ValidatorKey, records: readonly DurableRecord[]): void {
    for (const record of records) {
      const seen = contentOf(record)
      if (seen === undefined) continue
      const slot = `${by}:${record.value.height}:${seen.slot}`
      const before = this.votes.get(slot)
      if (before !== undefined && before !== seen.content)
        throw new Error(`two different ${seen.slot} at ${record.value.height}`)
      this.votes.set(slot, seen.content)
    }
  }

  observe(_by: ValidatorKey, report: Report): void {
    if (report.kind === 'viewEntered' && report.view > 0) this.viewChanges += 1
  }
}

function contentOf(record: DurableRecord): { slot: string; content: string } | undefined {
  switch (record.kind) {
    case 'proposed':
      return {
        slot: `proposal:${record.value.proposal.view}`,
        content: hashKey(record.value.proposal.header.payloadHash),
      }
    case 'prepared':
    case 'locked':
      return {
        slot: `${record.value.vote.phase}:${record.value.vote.view}`,
        content: hashKey(record.value.vote.blockHash),
      }
    case 'timedOut': {
      const { timeout } = record.value
      return {
        slot: `timeout:${timeout.view}`,
        content: `${timeout.highPrepare?.certificate.view ?? -1}:${timeout.reason}`,
      }
    }
    default:
      return undefined
  }
}
