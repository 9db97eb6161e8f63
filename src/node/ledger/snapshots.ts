/**
 * Owns snapshots of a running ledger: the state of the last block is frozen while it is written beside the following
 * blocks.
 */
import { rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { LedgerError } from '../../model/index.js'
import { replaceFile } from '../../storage/index.js'
import { hashesOf } from '../snapshot/archive.js'
import { ChunkHasher, type SnapshotManifest } from '../snapshot/manifest.js'
import { BUSY_RESTS_MAX, Pacer } from '../snapshot/pacer.js'
import { DiskRoom, type FreeBytes } from '../snapshot/room.js'
import { type SnapshotSource, writeSnapshot } from '../snapshot/write.js'
import { LongWork } from './long-work.js'

export class LiveSnapshots {
  private readonly work = new LongWork()

  /** `freeBytes`: free space of the disk, set by tests. */
  constructor(private readonly freeBytes?: FreeBytes) {}

  /**
   * Write the state to a new file, and the list of its chunk hashes beside it. Returns its manifest. Always closes the
   * state.
   *
   * @throws LedgerError `node_stopping` if the ledger closes before the file is complete, `file_unwritable` if the disk
   * has only the reserve for blocks left, and the errors of `writeSnapshot`
   */
  make(path: string, source: SnapshotSource): Promise<SnapshotManifest> {
    return this.work.run('the creation of snapshots', () => this.write(path, source))
  }

  /** End the running work; its file is removed when this resolves. */
  close(): Promise<void> {
    return this.work.close()
  }

  private async write(path: string, source: SnapshotSource): Promise<SnapshotManifest> {
    const pacer = new Pacer(() => BUSY_RESTS_MAX)
    const room = new DiskRoom(dirname(path), this.freeBytes)
    const step = async (): Promise<void> => {
      if (this.work.isClosing)
        throw new LedgerError('node_stopping', 'the node is stopping: the snapshot was abandoned')
      await room.check()
      await pacer.step()
    }
    try {
      const hasher = new ChunkHasher()
      const onWritten = (bytes: Uint8Array): void => {
        hasher.add(bytes)
        room.wrote(bytes.length)
      }
      const { head, certified } = await writeSnapshot(path, source, { pacer: { step }, onWritten })
      const { named, hashes } = hasher.finish()
      await replaceFile(hashesOf(path), hashes).catch(async (error: unknown) => {
        await rm(path, { force: true })
        throw error
      })
      return { head, certified, ...named }
    } finally {
      await source.state.close()
    }
  }
}
