/** Owns snapshots of a running ledger: the state of the last block stays as it is while it is written beside the blocks that follow. */
import { LedgerError } from '../../model/index.js'
import { ChunkHasher, type SnapshotManifest } from '../snapshot/manifest.js'
import { BUSY_RESTS_MAX, Pacer } from '../snapshot/pacer.js'
import { type SnapshotSource, writeSnapshot } from '../snapshot/write.js'
import { LongWork } from './long-work.js'

export class LiveSnapshots {
  private readonly work = new LongWork()

  /**
   * Writes the state to a new file and gives its manifest; the state is closed in any case.
   *
   * @throws LedgerError `node_stopping` when the ledger closes before the file is whole, and what `writeSnapshot` throws
   */
  make(path: string, source: SnapshotSource): Promise<SnapshotManifest> {
    return this.work.run('the making of snapshots', () => this.write(path, source))
  }

  /** Ends what is under way: the file behind it is gone when this resolves. */
  close(): Promise<void> {
    return this.work.close()
  }

  private async write(path: string, source: SnapshotSource): Promise<SnapshotManifest> {
    const pacer = new Pacer(() => BUSY_RESTS_MAX)
    const step = async (): Promise<void> => {
      if (this.work.isClosing) throw new LedgerError('node_stopping', 'the node stops: the snapshot was given up')
      await pacer.step()
    }
    try {
      const hasher = new ChunkHasher()
      const onWritten = (bytes: Uint8Array): void => hasher.add(bytes)
      const { head, certified } = await writeSnapshot(path, source, { pacer: { step }, onWritten })
      return { head, certified, ...hasher.finish() }
    } finally {
      await source.state.close()
    }
  }
}
