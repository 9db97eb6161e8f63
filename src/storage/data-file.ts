/** Owns one append-only file whose committed end is recorded elsewhere, in the header record of a block. */
import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { crc32 } from 'node:zlib'
import { errorCode } from '../base/thrown.js'
import { corrupt } from './corrupt.js'
import { APPENDED, cutFile, readAt, syncFolder, writeDurably } from './files.js'

/** Range of a file with the checksum of its bytes. */
export interface Extent {
  readonly offset: number
  readonly bytes: number
  readonly checksum: number
}

/** Append-only file. The owner waits for each append before the next. */
export class DataFile {
  private handle: FileHandle | undefined

  private constructor(
    public path: string,
    private end: number,
  ) {}

  /**
   * Open the file with exactly `end` committed bytes; truncate the rest. Nothing is created before the first append.
   *
   * @throws LedgerError `storage_corrupt` with `height` if committed bytes are missing
   */
  static async open(path: string, end: number, height: number): Promise<DataFile> {
    const file = new DataFile(path, end)
    let size = 0
    try {
      size = (await stat(path)).size
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error
      if (end > 0) throw corrupt(height, path, 'the file is missing')
    }
    if (size < end) throw corrupt(height, path, `only ${size} of ${end} committed bytes exist`)
    if (size > end) {
      const handle = await open(path, 'r+')
      try {
        await cutFile(handle, size, end)
      } finally {
        await handle.close()
      }
    }
    return file
  }

  /** Offset of the next append. */
  get length(): number {
    return this.end
  }

  /** Append the bytes in one durable write. */
  async append(bytes: Uint8Array): Promise<Extent> {
    const handle = await this.writable()
    const extent = { offset: this.end, bytes: bytes.length, checksum: crc32(bytes) }
    if (bytes.length === 0) return extent
    await writeDurably(handle, bytes, this.end)
    this.end += bytes.length
    return extent
  }

  /** Bytes of an extent in a new buffer; undefined if they are missing or changed. */
  read(extent: Extent): Promise<Buffer | undefined> {
    return this.handle === undefined ? readExtent(this.path, extent) : readFrom(this.handle, extent)
  }

  /** Close the file. */
  async close(): Promise<void> {
    const { handle } = this
    this.handle = undefined
    await handle?.close()
  }

  private async writable(): Promise<FileHandle> {
    if (this.handle !== undefined) return this.handle
    const folder = dirname(this.path)
    const made = await mkdir(folder, { recursive: true, mode: 0o700 })
    this.handle = await open(this.path, APPENDED | constants.O_CREAT, 0o600)
    if (this.end === 0) {
      await syncFolder(folder)
      if (made !== undefined) await syncFolder(dirname(folder))
    }
    return this.handle
  }
}

async function readFrom(handle: FileHandle, extent: Extent): Promise<Buffer | undefined> {
  if (extent.bytes === 0) return Buffer.alloc(0)
  const bytes = await readAt(handle, extent.offset, extent.bytes)
  return bytes.length === extent.bytes && crc32(bytes) === extent.checksum ? bytes : undefined
}

/** Bytes of an extent of a completed file; undefined like `DataFile.read`. */
export async function readExtent(path: string, extent: Extent): Promise<Buffer | undefined> {
  let handle: FileHandle
  try {
    handle = await open(path, 'r')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
  try {
    return await readFrom(handle, extent)
  } finally {
    await handle.close()
  }
}

/** Up to `maxBytes` bytes of a file from an offset on; empty if there is no file. */
export async function readTail(path: string, from: number, maxBytes: number): Promise<Buffer> {
  let handle: FileHandle
  try {
    handle = await open(path, 'r')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return Buffer.alloc(0)
    throw error
  }
  try {
    return await readAt(handle, from, maxBytes)
  } finally {
    await handle.close()
  }
}
