/** Owns the pruning of the oldest blocks by a running node, and the readers that still need some of them. */
import type { SnapshotsConfig, StorageConfig } from '../config/config.js'
import type { LedgerPort, Tip } from '../ledger/protocol.js'
import type { Logger } from '../process/logger.js'
import type { SnapshotArchive } from '../snapshot/archive.js'

/**
 * Minimum number of blocks in a pruning run, since each run syncs files; a share of the retained blocks may be more.
 */
const RUN_MIN_BLOCKS = 256
const RUN_MIN_SHARE = 8
/** Maximum number of blocks in one run; their disk space is free only at its end. */
const RUN_MAX_BLOCKS = 4_096
/** Factor of the retained blocks up to which lagging services hold older blocks; beyond it these services get a gap. */
const READERS_MAX_BEHIND = 2
/**
 * Factor of the usual age of the oldest snapshot up to which snapshots hold the blocks after them. Without this limit,
 * nodes that cannot create snapshots, for example without disk space, would fill their disks and end.
 */
const SNAPSHOTS_MAX_BEHIND = 2
/** Number of blocks before a failed run is retried; retries do not free a full disk. */
const RETRY_BLOCKS = 64

export interface PrunerModules {
  readonly config: StorageConfig
  /** Interval and retention of snapshots. */
  readonly snapshots: Pick<SnapshotsConfig, 'everyBlocks' | 'keep'>
  readonly archive: Pick<SnapshotArchive, 'list'>
  readonly ledger: Pick<LedgerPort, 'prune'>
  readonly logger: Logger
}

/** Pruner of blocks, one run at a time. */
export class Pruner {
  private readonly readers: (() => number)[] = []
  private isPruning = false
  /** Height before which no run starts. */
  private restsUntil = 0
  /** Height of the newest snapshot that no longer holds its blocks. */
  private passed = 0

  constructor(private readonly modules: PrunerModules) {}

  /** Add a service that still has to read the blocks from a height. */
  addReader(from: () => number): void {
    this.readers.push(from)
  }

  /** Handle a committed block. */
  committed({ height, firstHeight }: Pick<Tip, 'height' | 'firstHeight'>): void {
    const { retainBlocks } = this.modules.config
    if (retainBlocks === 0 || this.isPruning || height < this.restsUntil) return
    const below = this.firstKept(height)
    const run = Math.min(RUN_MIN_BLOCKS, Math.ceil(retainBlocks / RUN_MIN_SHARE))
    if (below - firstHeight >= run) this.prune(Math.min(below, firstHeight + RUN_MAX_BLOCKS), height)
  }

  /** First block to keep at a height. */
  private firstKept(height: number): number {
    const { config, archive } = this.modules
    const kept = config.retainBlocks
    const readers = Math.min(height, ...this.readers.map((from) => from()))
    // A node that joins from a snapshot needs the blocks after it.
    const snapshots = archive.list.map(({ head }) => head.height + 1).filter((from) => !this.isPassed(from, height))
    return Math.min(height - kept + 1, Math.max(readers, height - READERS_MAX_BEHIND * kept + 1), ...snapshots)
  }

  /** True if blocks from a height on, which a snapshot needs, are too old to be retained for it; logged once. */
  private isPassed(from: number, height: number): boolean {
    const { config, snapshots, logger } = this.modules
    const most = SNAPSHOTS_MAX_BEHIND * Math.max(config.retainBlocks, snapshots.keep * snapshots.everyBlocks)
    if (height - from < most) return false
    if (from > this.passed) {
      this.passed = from
      logger.warn({ height: from - 1 }, 'blocks after a snapshot are no longer stored: create a newer one')
    }
    return true
  }

  private prune(below: number, height: number): void {
    const { ledger, logger } = this.modules
    this.isPruning = true
    ledger
      .prune({ below })
      .then(({ firstHeight }) => logger.debug({ first_height: firstHeight }, 'blocks pruned'))
      .catch((error: unknown) => {
        this.restsUntil = height + RETRY_BLOCKS
        logger.error({ reason: String(error) }, 'cannot prune blocks')
      })
      .finally(() => {
        this.isPruning = false
      })
  }
}
