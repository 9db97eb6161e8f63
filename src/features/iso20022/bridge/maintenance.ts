/** Owns periodic maintenance of the bridge: reference data, expired messages, retention, metrics. */
import type { Registry } from 'prom-client'
import type { ReferenceState } from '../refdata/service.js'
import { reconcileRecords } from './bulk/known.js'
import type { BridgeContext } from './context.js'
import { isoMetrics } from './metrics.js'
import { isOpen } from './record.js'

const DAY_MS = 86_400_000
/**
 * Time between two sweeps of the records, in ms: an expired message is closed within a minute, even if its status is
 * not queried.
 */
const SWEEP_EVERY_MS = 60_000

export interface MaintenanceOptions {
  readonly registry: Registry
  readonly retentionDays: number
  readonly refreshSeconds: number
  readonly onError: (error: unknown) => void
}

/** Result of one sweep. */
export interface Sweep {
  /** Number of records that were closed. */
  readonly closed: number
  readonly held: number
  readonly pruned: number
}

/** Periodic maintenance, on timers until it is stopped. */
export class Maintenance {
  private timers: NodeJS.Timeout[] = []
  private underWay: Promise<unknown> = Promise.resolve()

  constructor(
    private readonly context: BridgeContext,
    private readonly options: MaintenanceOptions,
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

  /** Stop the timers and wait for work in progress. */
  async stop(): Promise<void> {
    for (const timer of this.timers) clearInterval(timer)
    this.timers = []
    await this.underWay
  }

  /** Load changed reference data and update the metrics. */
  async refresh(): Promise<void> {
    const { reference } = this.context
    await reference.refresh()
    for (const state of reference.states()) this.show(state)
  }

  /** Close expired records, remove old ones, count held payments. */
  async sweep(): Promise<Sweep> {
    const { store, mutex, wallMs } = this.context
    let closed = 0
    let held = 0
    for await (const open of store.unsettledMessages()) {
      const [first] = open
      if (first === undefined) continue
      for (const record of await mutex.run(first, () => reconcileRecords(this.context, open))) {
        if (!isOpen(record)) closed += 1
        else if (record.state === 'held') held += 1
      }
    }
    await store.pruneShared()
    isoMetrics(this.options.registry).held.set(held)
    const pruned = await store.prune(wallMs() - this.options.retentionDays * DAY_MS)
    return { closed, held, pruned }
  }

  private show({ kind, status, records, asOfMs, fault }: ReferenceState): void {
    const metrics = isoMetrics(this.options.registry)
    const labels = { dataset: kind }
    metrics.referenceStatus.set(labels, status === 'loaded' ? 1 : status === 'missing' ? 0 : -1)
    metrics.referenceRecords.set(labels, records)
    metrics.referenceFaulty.set(labels, fault === undefined ? 0 : 1)
    if (asOfMs !== undefined) metrics.referenceAge.set(labels, Math.max(0, (this.context.wallMs() - asOfMs) / 1_000))
  }
}
