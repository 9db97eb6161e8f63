/**
 * Owns the metrics of a performance run: finality of transactions, blocks, views, phases, and the load of the proposer.
 */
import type { Report } from '../../consensus/index.js'
import type { QuorumCertificate } from '../../model/index.js'
import type { Content } from './chain.js'

export type PhaseName = Extract<Report, { kind: 'phase' }>['phase']
export const PHASES: readonly PhaseName[] = ['propose', 'payload', 'execute', 'prepare', 'commit', 'apply']

/** Times of a transaction from its submission to its commit at the node that received it, in virtual ms. */
interface Submission {
  readonly node: number
  readonly atMs: number
  finalMs: number | undefined
}

/** Work of a proposer up to the start of its block and up to its commit. */
export interface Meter {
  readonly atMs: number
  readonly bytesUp: number
  readonly mainBusyMs: number
}

/** Load of one proposer, from the request for its block to the commit of the block there. */
export interface ProposerLoad {
  readonly bytesUp: number
  /** Share of that time in which its main thread was busy. */
  readonly busyShare: number
}

export class Tally {
  readonly loads: ProposerLoad[] = []
  /** Views that failed before the commit of the counted heights. */
  viewsLost = 0
  blocks = 0
  transactions = 0
  readonly phases = new Map<PhaseName, { sumMs: number; count: number }>()
  private readonly submissions: Submission[] = []
  private readonly seen = new Set<number>()
  private readonly building = new Map<string, Meter>()

  /** Count events from `fromMs` until `untilMs` of virtual time. */
  constructor(
    private readonly fromMs: number,
    private readonly untilMs: number,
  ) {}

  private counts(atMs: number): boolean {
    return atMs >= this.fromMs && atMs < this.untilMs
  }

  /** Record a submitted transaction; its number is the next one. */
  submitted(transaction: number, node: number, atMs: number): void {
    this.submissions[transaction] = { node, atMs, finalMs: undefined }
  }

  began(node: number, height: number, meter: Meter): void {
    this.building.set(`${node}:${height}`, meter)
  }

  committed(node: number, content: Content, certificate: QuorumCertificate, meter: Meter): void {
    const { height } = content.header
    for (const transaction of content.transactions) {
      const submission = this.submissions[transaction]
      if (submission?.node === node) submission.finalMs = meter.atMs - submission.atMs
    }
    const key = `${node}:${height}`
    const began = this.building.get(key)
    this.building.delete(key)
    if (!this.counts(meter.atMs)) return
    if (began !== undefined) {
      const bytesUp = meter.bytesUp - began.bytesUp
      this.loads.push({ bytesUp, busyShare: (meter.mainBusyMs - began.mainBusyMs) / (meter.atMs - began.atMs) })
    }
    if (this.seen.has(height)) return
    this.seen.add(height)
    this.blocks += 1
    this.transactions += content.transactions.length
    this.viewsLost += certificate.view
  }

  reported(report: Report, atMs: number): void {
    if (report.kind !== 'phase' || !this.counts(atMs)) return
    const phase = this.phases.get(report.phase) ?? { sumMs: 0, count: 0 }
    phase.sumMs += report.elapsedMs
    phase.count += 1
    this.phases.set(report.phase, phase)
  }

  /** Finality of the counted transactions in ms, and the number of transactions that are not final yet. */
  finality(): { readonly finalMs: readonly number[]; readonly open: number } {
    const counted = this.submissions.filter(({ atMs }) => this.counts(atMs))
    const finalMs = counted.flatMap((one) => one.finalMs ?? [])
    return { finalMs, open: counted.length - finalMs.length }
  }
}

/** Value at `share` (0 to 1) of unsorted values by nearest rank; 0 for none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0
}

/** Arithmetic mean; 0 for none. */
export const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, one) => sum + one, 0) / values.length
