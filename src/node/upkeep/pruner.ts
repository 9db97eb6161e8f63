/** Owns the pruning of the oldest blocks by a running node, and the users that still need some of them. */
import type { SnapshotsConfig, StorageConfig } from '../config/config.js'
import type { LedgerPort, Tip } from '../ledger/protocol.js'
import type { Logger } from '../process/logger.js'
import type { SnapshotArchive } from '../snapshot/archive.js'

/** Blocks are pruned in runs, each of which makes files durable: of so many at least, or of a share of what is kept. */
const RUN_MIN_BLOCKS = 256
const RUN_MIN_SHARE = 8
/** Blocks of one run at most: what it frees is free when it ends. */
const RUN_MAX_BLOCKS = 4_096
/** Services that read behind hold blocks until they are so many times what is kept behind: then they are told of a gap. */
const READERS_MAX_BEHIND = 2
/**
 * Snapshots hold the blocks after them until they are so many times as far behind as the oldest one comes to be: where none can be
 * made, as on a disk without room, all nodes would fill their disks, and end.
 */
const SNAPSHOTS_MAX_BEHIND = 2
/** Blocks until a run that failed is tried again: a full disk is not freed by trying with every block. */
const RETRY_BLOCKS = 64

export interface PrunerModules {
  readonly config: StorageConfig
  /** How often snapshots are made, and how many of them are kept. */
  readonly snapshots: Pick<SnapshotsConfig, 'everyBlocks' | 'keep'>
  readonly archive: Pick<SnapshotArchive, 'list'>
  readonly ledger: Pick<LedgerPort, 'prune'>
  readonly logger: Logger
}

/** Prunes once at a time. */
export class Pruner {
  private readonly readers: (() => number)[] = []
  private isPruning = false
  /** Height before which nothing is tried. */
  private restsUntil = 0
  /** Height of the newest snapshot that holds its blocks no longer. */
  private passed = 0

  constructor(private readonly modules: PrunerModules) {}

  /** Blocks from this height on are still to be read by a service. */
  addReader(from: () => number): void {
    this.readers.push(from)
  }

  /** A block was committed. */
  committed({ height, firstHeight }: Pick<Tip, 'height' | 'firstHeight'>): void {
    const { retainBlocks } = this.modules.config
    if (retainBlocks === 0 || this.isPruning || height < this.restsUntil) return
    const below = this.firstKept(height)
    const run = Math.min(RUN_MIN_BLOCKS, Math.ceil(retainBlocks / RUN_MIN_SHARE))
    if (below - firstHeight >= run) this.prune(Math.min(below, firstHeight + RUN_MAX_BLOCKS), height)
  }

  /** The first block that stays at a height. */
  private firstKept(height: number): number {
    const { config, archive } = this.modules
    const kept = config.retainBlocks
    const readers = Math.min(height, ...this.readers.map((from) => from()))
    // Who joins by a snapshot needs the blocks after it.
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
