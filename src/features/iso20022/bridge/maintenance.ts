/** Owns periodic maintenance of the bridge: reference data, expired messages, retention, metrics. */
import type { Registry } from 'prom-client'
import { isoMetrics } from '../node/metrics.js'
import type { ReferenceData, ReferenceState } from '../refdata/service.js'
import type { Settlement } from './settlement.js'
import type { RecordStore } from './store.js'

const DAY_MS = 86_400_000
/** Time between two looks at records, in ms: a message that expired says so within a minute, asked or not. */
const SWEEP_EVERY_MS = 60_000

export interface UpkeepOptions {
  readonly registry: Registry
  readonly retentionDays: number
  readonly refreshSeconds: number
  readonly clockMs: () => number
  readonly onError: (error: unknown) => void
}

/** What one sweep found. */
export interface Sweep {
  readonly settled: number
  readonly held: number
  readonly pruned: number
}

/** Runs the upkeep on timers until it is stopped. */
export class Maintenance {
  private timers: NodeJS.Timeout[] = []
  private underWay: Promise<unknown> = Promise.resolve()

  constructor(
    private readonly store: RecordStore,
    private readonly settlement: Settlement,
    private readonly reference: ReferenceData,
    private readonly options: UpkeepOptions,
  ) {}

  start(): void {
    const every = (ms: number, work: () => Promise<unknown>): void => {
      const timer = setInterval(() => {
        this.underWay = this.underWay.then(work).catch(this.options.onError)
      }, ms)
      timer.unref()
      this.timers.push(timer)
    }
    every(this.options.refreshSeconds * 1_000, () => this.refresh())
    every(SWEEP_EVERY_MS, () => this.sweep())
  }

  /** Ends the timers and waits for what is under way. */
  async stop(): Promise<void> {
    for (const timer of this.timers) clearInterval(timer)
    this.timers = []
    await this.underWay
  }

  /** Reads what changed and shows it. */
  async refresh(): Promise<void> {
    await this.reference.refresh()
    for (const state of this.reference.states()) this.show(state)
  }

  /** Brings open records to what the ledger says, removes old ones, counts the held. */
  async sweep(): Promise<Sweep> {
    let settled = 0
    let held = 0
    for await (const record of this.store.unsettled()) {
      const now = await this.settlement.reconcile(record)
      if (now.state === 'held') held += 1
      else if (now !== record) settled += 1
    }
    isoMetrics(this.options.registry).held.set(held)
    const pruned = await this.store.prune(this.options.clockMs() - this.options.retentionDays * DAY_MS)
    return { settled, held, pruned }
  }

  private show({ kind, status, records, asOfMs, fault }: ReferenceState): void {
    const metrics = isoMetrics(this.options.registry)
    const labels = { dataset: kind }
    metrics.referenceStatus.set(labels, status === 'loaded' ? 1 : status === 'missing' ? 0 : -1)
    metrics.referenceRecords.set(labels, records)
    metrics.referenceFaulty.set(labels, fault === undefined ? 0 : 1)
    if (asOfMs !== undefined) metrics.referenceAge.set(labels, Math.max(0, (this.options.clockMs() - asOfMs) / 1_000))
  }
}
