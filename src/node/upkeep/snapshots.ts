/** Owns the creation of snapshots by a running node, at an interval or on request, and the list of stored ones. */
import type { SnapshotStatus } from '../../api/index.js'
import { errorMessage } from '../../base/thrown.js'
import { LedgerError } from '../../model/index.js'
import type { SnapshotsConfig } from '../config/config.js'
import type { LedgerPort } from '../ledger/protocol.js'
import type { Logger } from '../process/logger.js'
import type { SnapshotArchive } from '../snapshot/archive.js'

export interface SnapshotKeeperModules {
  readonly config: Pick<SnapshotsConfig, 'everyBlocks'>
  readonly archive: SnapshotArchive
  readonly ledger: Pick<LedgerPort, 'snapshot'>
  readonly height: () => number
  readonly logger: Logger
  readonly monotonicMs: () => number
  /** Called after each attempt. */
  readonly onMade: (outcome: 'made' | 'failed') => void
}

/** Creator of snapshots, one at a time. */
export class SnapshotKeeper {
  /** Height at which the running snapshot was begun. */
  private makingAt: number | undefined
  private failure: string | undefined

  constructor(private readonly modules: SnapshotKeeperModules) {}

  /** Handle a committed block. */
  committed(height: number): void {
    const { everyBlocks } = this.modules.config
    if (everyBlocks > 0 && height % everyBlocks === 0 && this.makingAt === undefined) this.make()
  }

  /** Stored snapshots and the running one. */
  status(): SnapshotStatus {
    const { archive } = this.modules
    return {
      making: this.makingAt,
      failure: this.failure,
      items: archive.list.map(({ head, bytes }) => ({
        height: head.height,
        blockHash: head.blockHash,
        stateRoot: head.stateRoot,
        bytes,
      })),
    }
  }

  /** Start a snapshot at the height of the node, unless one is running. */
  begin(): SnapshotStatus | LedgerError {
    if (this.modules.height() < 2)
      return new LedgerError('not_found', 'cannot create a snapshot: the chain has no block above genesis')
    if (this.makingAt === undefined) this.make()
    return this.status()
  }

  private make(): void {
    const { archive, ledger, logger, monotonicMs, onMade, height } = this.modules
    const startedMs = monotonicMs()
    this.makingAt = height()
    this.failure = undefined
    const made = async (): Promise<void> => {
      const { manifest } = await ledger.snapshot({ file: await archive.draft() })
      await archive.add(manifest)
      const tookMs = Math.round(monotonicMs() - startedMs)
      onMade('made')
      logger.info({ height: manifest.head.height, bytes: manifest.bytes, took_ms: tookMs }, 'snapshot created')
    }
    made()
      .catch((error: unknown) => {
        if (error instanceof LedgerError && error.code === 'node_stopping') return
        // Blocks continue: a disk error here need not affect them, and if it does they report it.
        this.failure = errorMessage(error)
        onMade('failed')
        logger.error({ reason: this.failure }, 'cannot create a snapshot')
      })
      .finally(() => {
        this.makingAt = undefined
      })
  }
}
