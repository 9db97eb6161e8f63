/**
 * Owns the payload bytes of all lanes and their merge logs: the split of a block's body into lane parts, and its
 * reassembly.
 */

import type { BlockRecord, BodyRest, LaneEnd, LanePart } from './block-record.js'
import { corrupt } from './corrupt.js'
import { DataFile, readTail } from './data-file.js'
import { arrangeLanes, type LaneName, type LanePaths } from './lane-folders.js'
import { decodeMergeEntry, encodeMergeEntry, MERGE_ENTRY_MAX_BYTES, type MergePiece } from './merge-entry.js'
import { Segments } from './segments.js'

/** Position of a signed record in a body. */
export interface EntrySlice {
  readonly lane: number
  /** Offset of its first byte, and offset after its last byte. */
  readonly start: number
  readonly end: number
}

interface LaneFiles {
  readonly payload: Segments
  readonly merge: DataFile
}

/** Lanes of one block store. */
export class LaneStore {
  /** Number of file moves so far, and the pending one. */
  private moves = 0
  private moved: Promise<unknown> = Promise.resolve()

  private constructor(
    private readonly folder: string,
    private paths: Map<number, LanePaths>,
    private readonly files: Map<number, LaneFiles>,
    private readonly segmentMaxBytes: number | undefined,
  ) {}

  /** Open the lanes with exactly the committed bytes of `ends`; throws `storage_corrupt` if some are missing. */
  static async open(
    folder: string,
    lanes: readonly LaneName[] | undefined,
    ends: readonly LaneEnd[],
    height: number,
    segmentMaxBytes?: number,
  ): Promise<LaneStore> {
    const endOf = new Map(ends.map((end) => [end.lane, end]))
    const paths = await arrangeLanes(folder, { lanes, inUse: endOf.keys() })
    const store = new LaneStore(folder, paths, new Map(), segmentMaxBytes)
    for (const lane of paths.keys()) {
      const end = endOf.get(lane) ?? { lane, segment: 0, offset: 0, mergeBytes: 0 }
      store.files.set(lane, await store.openLane(lane, end, height))
    }
    return store
  }

  /** Ends of all lanes with bytes, ascending. */
  get ends(): LaneEnd[] {
    return [...this.files]
      .filter(([, files]) => files.merge.length > 0)
      .sort(([left], [right]) => left - right)
      .map(([lane, files]) => ({ lane, ...files.payload.end, mergeBytes: files.merge.length }))
  }

  /** Rename, retire and create files for a new catalogue; reads wait for it. Block order never changes. */
  async setLanes(lanes: readonly LaneName[]): Promise<void> {
    this.moves += 1
    const moving = this.move(lanes)
    this.moved = moving.catch(() => undefined)
    await moving
  }

  private async move(lanes: readonly LaneName[]): Promise<void> {
    this.paths = await arrangeLanes(this.folder, { lanes, inUse: this.ends.map((end) => end.lane) })
    for (const [lane, paths] of this.paths) {
      const files = this.files.get(lane)
      if (files === undefined) {
        this.files.set(lane, await this.openLane(lane, { lane, segment: 0, offset: 0, mergeBytes: 0 }, 0))
        continue
      }
      files.payload.move(paths.blocks)
      files.merge.path = paths.mergeLog
    }
  }

  /** Write and sync the lane parts of a block, all lanes in parallel. */
  async append(height: number, body: Uint8Array, entries: readonly EntrySlice[]): Promise<LanePart[]> {
    const lanes = new Map<number, { bytes: Uint8Array[]; pieces: MergePiece[] }>()
    for (const [position, { lane, start, end }] of entries.entries()) {
      let part = lanes.get(lane)
      if (part === undefined) {
        if (this.paths.get(lane)?.active !== true) throw new Error(`lane ${lane} is not in the catalogue`)
        part = { bytes: [], pieces: [] }
        lanes.set(lane, part)
      }
      part.bytes.push(body.subarray(start, end))
      part.pieces.push({ position, bytes: end - start })
    }
    const parts = [...lanes].sort(([left], [right]) => left - right)
    return Promise.all(
      parts.map(async ([lane, { bytes, pieces }]): Promise<LanePart> => {
        const files = this.filesOf(lane)
        const merge = encodeMergeEntry({ height, start: files.payload.next, pieces })
        const [payload, place] = await Promise.all([
          files.payload.append(Buffer.concat(bytes)),
          files.merge.append(merge),
        ])
        return { lane, payload, merge: place }
      }),
    )
  }

  /** Reassemble a body; throws `storage_corrupt` with the height and the file. */
  async read(record: BlockRecord, rest: BodyRest): Promise<Buffer> {
    await this.moved
    const { moves } = this
    try {
      return await this.readNow(record, rest)
    } catch (error) {
      if (moves === this.moves) throw error
      // Its files were moved meanwhile.
      return this.read(record, rest)
    }
  }

  private async readNow({ header, parts }: BlockRecord, { rest, restBytes }: BodyRest): Promise<Buffer> {
    const { height } = header
    const pieces: Uint8Array[] = new Array(restBytes.length - 1)
    await Promise.all(parts.map((part) => this.readPart(height, part, pieces)))
    const body: Uint8Array[] = []
    let at = 0
    for (const [index, length] of restBytes.entries()) {
      body.push(rest.subarray(at, at + length))
      at += length
      if (index === pieces.length) break
      const piece = pieces[index]
      if (piece === undefined) throw corrupt(height, 'merge_ledger', `no lane contains entry ${index}`)
      body.push(piece)
    }
    return Buffer.concat(body)
  }

  /** Free the segments of each lane before the segment in which its bytes ended at some height. */
  async dropBefore(ends: readonly LaneEnd[]): Promise<void> {
    for (const { lane, segment } of ends) await this.filesOf(lane).payload.dropBefore(segment)
  }

  /** Close the files. */
  async close(): Promise<void> {
    await Promise.all([...this.files.values()].flatMap((files) => [files.payload.close(), files.merge.close()]))
  }

  private async readPart(height: number, part: LanePart, pieces: Uint8Array[]): Promise<void> {
    const { payload, merge } = this.filesOf(part.lane)
    const [bytes, order] = await Promise.all([payload.read(part.payload, height), merge.read(part.merge)])
    const entry = order === undefined ? undefined : decodeMergeEntry(order)?.entry
    if (entry?.height !== height) throw corrupt(height, merge.path, 'its merge entry is missing or corrupt')
    let at = 0
    for (const piece of entry.pieces) {
      pieces[piece.position] = bytes.subarray(at, at + piece.bytes)
      at += piece.bytes
    }
  }

  private filesOf(lane: number): LaneFiles {
    const files = this.files.get(lane)
    if (files === undefined) throw new Error(`lane ${lane} has no files`)
    return files
  }

  private async openLane(lane: number, end: LaneEnd, height: number): Promise<LaneFiles> {
    const paths = this.paths.get(lane)
    if (paths === undefined) throw new Error(`lane ${lane} has no paths`)
    await checkUncommitted(paths.mergeLog, end.mergeBytes, height)
    const merge = await DataFile.open(paths.mergeLog, end.mergeBytes, height)
    return { payload: await Segments.open(paths.blocks, end, height, this.segmentMaxBytes), merge }
  }
}

/**
 * Check the uncommitted bytes of a lane. A crash leaves at most one block beyond the last header record. If a merge log
 * has more, those blocks were committed and their header records are lost, so truncation would destroy committed data.
 */
async function checkUncommitted(path: string, end: number, height: number): Promise<void> {
  const tail = await readTail(path, end, MERGE_ENTRY_MAX_BYTES + 1)
  const first = decodeMergeEntry(tail)
  if (first !== undefined && (first.length < tail.length || first.entry.height > height + 1)) {
    throw corrupt(height + 1, 'headers.log', `its header record is missing, but ${path} contains later blocks`)
  }
}
