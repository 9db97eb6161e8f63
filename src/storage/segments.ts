/** Owns a folder of append-only segments: payload bytes of one lane, or the outcomes of all blocks. */
import { readdir, stat, truncate, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '../base/thrown.js'
import { corrupt } from './corrupt.js'
import { DataFile, type Extent, readExtent } from './data-file.js'
import { syncFolder } from './files.js'
import { SEGMENT_MAX_BYTES } from './limits.js'

/** Range of bytes in one segment. */
export interface SegmentExtent extends Extent {
  readonly segment: number
}

/** Committed end of a folder. */
export interface SegmentEnd {
  readonly segment: number
  readonly offset: number
}

const fileName = (segment: number): string => `segment_${String(segment).padStart(6, '0')}.dat`

function segmentOf(name: string): number | undefined {
  const match = /^segment_(\d{6,})\.dat$/.exec(name)
  return match === null ? undefined : Number(match[1])
}

/** Segments of one folder. The owner waits for each append before the next. */
export class Segments {
  private constructor(
    public folder: string,
    private segment: number,
    private current: DataFile,
    private readonly maxBytes: number,
  ) {}

  /**
   * Open the folder with its committed bytes; truncate the rest. Nothing is created before the first append.
   *
   * @param height tip of the store, for the error `storage_corrupt`
   */
  static async open(folder: string, end: SegmentEnd, height: number, maxBytes = SEGMENT_MAX_BYTES): Promise<Segments> {
    let removed = false
    for (const name of await list(folder)) {
      const segment = segmentOf(name)
      if (segment === undefined || segment <= end.segment) continue
      await unlink(join(folder, name))
      removed = true
    }
    if (removed) await syncFolder(folder)
    const current = await DataFile.open(join(folder, fileName(end.segment)), end.offset, height)
    return new Segments(folder, end.segment, current, maxBytes)
  }

  /** End of the written bytes. */
  get end(): SegmentEnd {
    return { segment: this.segment, offset: this.current.length }
  }

  /** Position of the next append. */
  get next(): SegmentEnd {
    return this.current.length >= this.maxBytes ? { segment: this.segment + 1, offset: 0 } : this.end
  }

  /** Write the bytes into one segment and sync them. */
  async append(bytes: Uint8Array): Promise<SegmentExtent> {
    const { segment } = this.next
    if (segment !== this.segment) {
      await this.current.close()
      this.segment = segment
      this.current = await DataFile.open(join(this.folder, fileName(segment)), 0, 0)
    }
    return { segment, ...(await this.current.append(bytes)) }
  }

  /** Bytes of an extent. Throws `storage_corrupt` if they differ from the bytes written for this height. */
  async read(extent: SegmentExtent, height: number): Promise<Buffer> {
    const path = join(this.folder, fileName(extent.segment))
    const bytes = await (extent.segment === this.segment ? this.current.read(extent) : readExtent(path, extent))
    if (bytes === undefined) throw corrupt(height, path, 'its payload bytes are missing or corrupt')
    return bytes
  }

  /** Remove the segments before a segment; `keptOfFirst`: bytes of the very first segment to keep, if any. */
  async dropBefore(segment: number, keptOfFirst = 0): Promise<void> {
    let removed = false
    for (const name of await list(this.folder)) {
      const number = segmentOf(name)
      if (number === undefined || number >= Math.min(segment, this.segment)) continue
      const path = join(this.folder, name)
      if (number === 0 && keptOfFirst > 0) {
        if ((await stat(path)).size > keptOfFirst) await truncate(path, keptOfFirst)
        continue
      }
      await unlink(path)
      removed = true
    }
    if (removed) await syncFolder(this.folder)
  }

  /** Follow a rename of the folder. */
  move(folder: string): void {
    this.folder = folder
    this.current.path = join(folder, fileName(this.segment))
  }

  /** Close the files. */
  close(): Promise<void> {
    return this.current.close()
  }
}

async function list(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return []
    throw error
  }
}
