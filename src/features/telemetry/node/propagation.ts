/**
 * Owns the propagation of blocks: the time at which each watched gateway reported a block. A report counts once this
 * node has committed the block with the reported hash, so that false reports are ignored.
 */
import { type BlockPropagation, PROPAGATION_BLOCKS } from '../schema.js'
import { AHEAD_BLOCKS_MAX } from './limits.js'

interface Report {
  readonly hash: string
  readonly atMs: number
}

export class Propagation {
  /** First reports by height and gateway. */
  private readonly reports = new Map<number, Map<string, Report>>()
  /** Hashes of the last blocks of this node. */
  private readonly hashes = new Map<number, string>()
  private readonly changed = new Set<number>()
  private height: number

  constructor(height: number) {
    this.height = height
  }

  /** Record a block reported by a gateway; later reports of the same height are dropped. */
  report(gateway: string, height: number, hash: string, atMs: number): void {
    if (height <= this.height - PROPAGATION_BLOCKS || height > this.height + AHEAD_BLOCKS_MAX) return
    let reports = this.reports.get(height)
    if (reports === undefined) {
      reports = new Map()
      this.reports.set(height, reports)
    }
    if (reports.has(gateway)) return
    reports.set(gateway, { hash, atMs })
    if (this.hashes.get(height) === hash) this.changed.add(height)
  }

  /** Record a block committed by this node. */
  committed(height: number, hash: string): void {
    this.height = Math.max(this.height, height)
    this.hashes.set(height, hash)
    if (this.reports.has(height)) this.changed.add(height)
    const oldest = this.height - PROPAGATION_BLOCKS
    for (const known of [this.reports, this.hashes, this.changed])
      for (const at of known.keys()) if (at <= oldest) known.delete(at)
  }

  /** Rows, newest first. */
  rows(): BlockPropagation[] {
    return [...this.hashes.keys()].sort((one, other) => other - one).flatMap((height) => this.row(height) ?? [])
  }

  /** Rows that changed since the last call, oldest first. */
  changes(): BlockPropagation[] {
    const heights = [...this.changed].sort((one, other) => one - other)
    this.changed.clear()
    return heights.flatMap((height) => this.row(height) ?? [])
  }

  private row(height: number): BlockPropagation | undefined {
    const hash = this.hashes.get(height)
    const times = [...(this.reports.get(height)?.values() ?? [])].flatMap((one) => (one.hash === hash ? one.atMs : []))
    if (times.length === 0) return undefined
    const [firstSeenMs, lastSeenMs] = [Math.min(...times), Math.max(...times)]
    return {
      block: height,
      firstSeenMs,
      lastSeenMs,
      spreadMs: lastSeenMs - firstSeenMs,
      peersReported: times.length,
    }
  }
}
