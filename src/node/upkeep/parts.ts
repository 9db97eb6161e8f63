/** Owns the parts of a core that create snapshots, offer them to peers, and prune blocks. */
import { collectFrom, type Metrics } from '../../api/metrics.js'
import type { ValidatorKey } from '../../model/index.js'
import type { SnapshotsConfig, StorageConfig } from '../config/config.js'
import type { LedgerPort } from '../ledger/protocol.js'
import type { Gossip } from '../peers/gossip.js'
import type { Logger } from '../process/logger.js'
import type { SnapshotArchive } from '../snapshot/archive.js'
import { Pruner } from './pruner.js'
import { SnapshotServer } from './serve.js'
import { SnapshotKeeper } from './snapshots.js'

interface SnapshotModules {
  readonly options: {
    readonly ledger: LedgerPort
    readonly logger: Logger
    readonly snapshots: Pick<SnapshotsConfig, 'everyBlocks' | 'keep'>
    readonly storage: StorageConfig
  }
  readonly archive: SnapshotArchive
  readonly metrics: Metrics['node']
  readonly monotonicMs: () => number
  readonly isMember: (peer: ValidatorKey) => boolean
  /** Height of the last block. */
  readonly height: () => number
  readonly gossip: Pick<Gossip, 'offerSnapshot' | 'sendChunk'>
}

export class SnapshotParts {
  readonly server: SnapshotServer
  readonly keeper: SnapshotKeeper
  readonly pruner: Pruner

  constructor({ options, archive, metrics, monotonicMs, isMember, height, gossip }: SnapshotModules) {
    const { ledger, logger, snapshots: config, storage } = options
    this.server = new SnapshotServer({
      archive,
      isMember,
      offer: (to, offer) => gossip.offerSnapshot(to, offer),
      send: (to, chunk) => {
        if (chunk.chunk !== undefined) metrics.snapshotChunks.inc()
        gossip.sendChunk(to, chunk)
      },
      onFailure: (error) => logger.error({ reason: String(error) }, 'cannot read a snapshot'),
    })
    collectFrom(metrics.snapshotHeight, () => archive.at(0)?.head.height ?? 0)
    const onMade = (outcome: 'made' | 'failed'): void => metrics.snapshots.inc({ outcome })
    this.keeper = new SnapshotKeeper({ config, archive, ledger, logger, monotonicMs, onMade, height })
    this.pruner = new Pruner({ config: storage, snapshots: config, archive, ledger, logger })
  }
}
