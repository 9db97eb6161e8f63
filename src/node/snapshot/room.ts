/** Owns the disk space reserved for blocks and votes, because a node stops if its disk is full. */
import { statfs } from 'node:fs/promises'
import { LedgerError } from '../../model/index.js'

/** Free space that snapshots leave for the node, in MiB. */
export const FREE_MIN_MIB = 256
const MIB = 1024 * 1024
/** Bytes written between two checks of the disk. */
const LOOK_BYTES = 4 * MIB

/** Function that returns the free bytes of the file system of a folder. */
export type FreeBytes = (folder: string) => Promise<number>

const freeBytesOf: FreeBytes = async (folder) => {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** Monitor of the free space while a file is written. */
export class DiskRoom {
  /** Bytes since the last check; initially a check is due. */
  private unseen = LOOK_BYTES

  constructor(
    private readonly folder: string,
    private readonly freeBytes: FreeBytes = freeBytesOf,
  ) {}

  /** Record written bytes. */
  wrote(bytes: number): void {
    this.unseen += bytes
  }

  /** Throw `file_unwritable` if only the reserve of the node is left. */
  async check(): Promise<void> {
    if (this.unseen < LOOK_BYTES) return
    this.unseen = 0
    const free = Math.floor((await this.freeBytes(this.folder)) / MIB)
    if (free >= FREE_MIN_MIB) return
    const message = `${this.folder}: ${free} MiB are free, but blocks need ${FREE_MIN_MIB} MiB: the snapshot was abandoned`
    throw new LedgerError('file_unwritable', message, { details: { file: this.folder } })
  }
}
