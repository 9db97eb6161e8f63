/** Owns the disk space that snapshots leave for blocks and votes, because a node with a full disk ends. */
import { statfs } from 'node:fs/promises'
import { LedgerError } from '../../model/index.js'

/** Free space that a node needs, in MiB: snapshots leave it. */
export const FREE_MIN_MIB = 256
const MIB = 1024 * 1024
/** Bytes that are written between two looks at the disk. */
const LOOK_BYTES = 4 * MIB

/** Free bytes of the file system of a folder. */
export type FreeBytes = (folder: string) => Promise<number>

const freeBytesOf: FreeBytes = async (folder) => {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** Monitor of the free space while a file is written. */
export class DiskRoom {
  /** Bytes since the last look; there was none yet. */
  private unseen = LOOK_BYTES

  constructor(
    private readonly folder: string,
    private readonly freeBytes: FreeBytes = freeBytesOf,
  ) {}

  /** So many bytes were written. */
  wrote(bytes: number): void {
    this.unseen += bytes
  }

  /** Throws `file_unwritable` where the rest of the disk is the node's. */
  async check(): Promise<void> {
    if (this.unseen < LOOK_BYTES) return
    this.unseen = 0
    const free = Math.floor((await this.freeBytes(this.folder)) / MIB)
    if (free >= FREE_MIN_MIB) return
    const message = `${this.folder}: ${free} MiB are free, but blocks need ${FREE_MIN_MIB} MiB: the snapshot was abandoned`
    throw new LedgerError('file_unwritable', message, { details: { file: this.folder } })
  }
}
