/** Owns snapshots of a running ledger: the state of the last block stays as it is while it is written beside the blocks that follow. */
import { assertInvariant, LedgerError } from '../../model/index.js'
import { ChunkHasher, type SnapshotManifest } from '../snapshot/manifest.js'
import { Pacer } from '../snapshot/pacer.js'
import { type SnapshotSource, writeSnapshot } from '../snapshot/write.js'

/** Writes one snapshot at a time; ends early when the ledger closes. */
export class LiveSnapshots {
  private making: Promise<unknown> | undefined
  private closing = false

  /**
   * Writes the state to a new file and gives its manifest; the state is closed in any case.
   *
   * @throws LedgerError `node_stopping` when the ledger closes before the file is whole, and what `writeSnapshot` throws
   */
  async make(path: string, source: SnapshotSource): Promise<SnapshotManifest> {
    assertInvariant(this.making === undefined, 'snapshots are made one at a time')
    const made = this.write(path, source)
    this.making = made
      .catch(() => undefined)
      .finally(() => {
        this.making = undefined
      })
    return made
  }

  /** Ends what is under way: the file behind it is gone when this resolves. */
  async close(): Promise<void> {
    this.closing = true
    await this.making
  }

  private async write(path: string, source: SnapshotSource): Promise<SnapshotManifest> {
    const pacer = new Pacer()
    const step = async (): Promise<void> => {
      if (this.closing) throw new LedgerError('node_stopping', 'the node stops: the snapshot was given up')
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
