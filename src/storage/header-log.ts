/** Owns `headers.log` with its index: the header records of all blocks, whole or packed, appended in order and read by height. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { BoundedMap } from '../base/bounded.js'
import { type BlockHeader, hashOfHeader, ZERO_HASH } from '../model/index.js'
import { type BlockRecord, type BodyRest, decodeWhole, encodeWhole } from './block-record.js'
import { corrupt } from './corrupt.js'
import { LOG_HEADER_BYTES } from './frame.js'
import { HeaderIndex, type HeaderPlace } from './header-index.js'
import { HEADER_TERMS_EVERY, HEADER_TERMS_KEPT, HEADERS_READ_MAX_BYTES } from './limits.js'
import { LogFile } from './log-file.js'
import {
  decodePacked,
  encodePacked,
  isPacked,
  type PackedRecord,
  sameTerms,
  type Terms,
  termsOf,
  unpack,
} from './packed-record.js'

/**
 * Content of a frame: a record with its own terms, or a record that refers to the terms of an earlier one; undefined
 * for other bytes.
 */
type Opened =
  | { readonly record: BlockRecord; readonly packed: undefined }
  | { readonly record: undefined; readonly packed: PackedRecord }
  | undefined

function openPayload(payload: Uint8Array): Opened {
  if (isPacked(payload)) {
    const packed = decodePacked(payload)
    return packed && { record: undefined, packed }
  }
  const record = decodeWhole(payload)
  return record && { record, packed: undefined }
}

/** Header log of one block store. */
export class HeaderLog {
  private log: LogFile | undefined
  /** Terms by the height of the record that has them. */
  private readonly terms = new BoundedMap<number, Terms>(HEADER_TERMS_KEPT)
  /**
   * Height of the record with the terms of the last packed record; 0 after a start, so that the next packed record has
   * its own terms.
   */
  private termsAt = 0

  private constructor(
    private readonly folder: string,
    private readonly index: HeaderIndex,
  ) {}

  /**
   * Open or create the log of a folder, truncate an incomplete tail, and index new records.
   *
   * @throws LedgerError `storage_corrupt` with height and file if records are missing or damaged
   */
  static async open(folder: string): Promise<HeaderLog> {
    const index = HeaderIndex.open(join(folder, 'headers.idx'))
    const headers = new HeaderLog(folder, index)
    try {
      await headers.load()
      return headers
    } catch (error) {
      await headers.close()
      throw error
    }
  }

  /** Height of the last record. */
  get height(): number {
    return this.index.height
  }

  /** Block hash at a height that has a record. */
  hashAt(height: number): Buffer {
    return this.index.hashAt(height)
  }

  /** Height of a block hash, or undefined. */
  heightOf(hash: Uint8Array): number | undefined {
    return this.index.heightOf(hash)
  }

  /** Append the next record in packed form. */
  async appendPacked(record: BlockRecord): Promise<void> {
    const { header } = record
    const known = this.terms.get(this.termsAt)
    const back = header.height - this.termsAt
    const termsBack = known !== undefined && back < HEADER_TERMS_EVERY && sameTerms(known, termsOf(header)) ? back : 0
    const place = await this.file.append([encodePacked(record, termsBack)])
    this.add(header, place, header.height - termsBack)
  }

  /** Append the next records in whole form, in one write. */
  async appendWhole(records: readonly { readonly record: BlockRecord; readonly rest: BodyRest }[]): Promise<void> {
    const places = await this.file.appendAll(records.map(({ record, rest }) => [encodeWhole(record, rest)]))
    for (const [at, { record }] of records.entries()) {
      this.add(record.header, places[at] as HeaderPlace, undefined)
    }
  }

  /** Record at a height; undefined below 1 and above the last one. */
  async read(height: number): Promise<BlockRecord | undefined> {
    if (!Number.isSafeInteger(height) || height < 1 || height > this.height) return undefined
    const { offset, length } = this.index.placeOf(height)
    return this.complete(await this.file.read(offset, length), height)
  }

  /** Consecutive records, in one read of bounded size; at least one record, unless `to` is below `from`. */
  async readFollowing(from: number, to: number): Promise<BlockRecord[]> {
    const places: HeaderPlace[] = []
    let bytes = 0
    for (let height = from; height <= to; height += 1) {
      const place = this.index.placeOf(height)
      if (places.length > 0 && bytes + place.length > HEADERS_READ_MAX_BYTES) break
      places.push(place)
      bytes += place.length
    }
    const records: BlockRecord[] = []
    for (const [at, payload] of (await this.file.readAll(places)).entries()) {
      records.push(await this.complete(payload, from + at))
    }
    return records
  }

  /** Close both files. */
  async close(): Promise<void> {
    await this.log?.close()
    this.index.close()
  }

  private get path(): string {
    return join(this.folder, 'headers.log')
  }

  private get file(): LogFile {
    if (this.log === undefined) throw new Error('the header log is not open')
    return this.log
  }

  private async complete(payload: Buffer | undefined, height: number): Promise<BlockRecord> {
    const opened = payload === undefined ? undefined : openPayload(payload)
    const { record, packed } = opened ?? {}
    if (record?.header.height === height) return record
    if (packed?.height !== height) throw this.damaged(height)
    return unpack(
      packed,
      this.hashBefore(height),
      packed.terms ?? (await this.termsOf(height - packed.termsBack, height)),
    )
  }

  /** Terms of the record at a height; `of` is the height of the record that refers to these terms. */
  private async termsOf(height: number, of: number): Promise<Terms> {
    const known = this.terms.get(height)
    if (known !== undefined) return known
    if (height < 1) throw this.damaged(of)
    const { offset, length } = this.index.placeOf(height)
    const payload = await this.file.read(offset, length)
    const opened = payload === undefined ? undefined : openPayload(payload)
    const terms = opened?.packed?.terms
    if (terms === undefined) throw this.damaged(height)
    this.terms.set(height, terms)
    return terms
  }

  private hashBefore(height: number): Uint8Array {
    return height === 1 ? ZERO_HASH : this.index.hashAt(height - 1)
  }

  private damaged(height: number): Error {
    return corrupt(height, this.path, 'its header record is missing or damaged')
  }

  /** @param termsAt height of the record with the terms, for a packed record */
  private add(header: BlockHeader, place: HeaderPlace, termsAt: number | undefined): void {
    this.index.add(hashOfHeader(header), place)
    if (termsAt === undefined) return
    this.termsAt = termsAt
    if (termsAt === header.height) this.terms.renew(termsAt, termsOf(header))
  }

  private async load(): Promise<void> {
    const { index, path } = this
    for (;;) {
      const scanned = await this.scan()
      if (scanned.log === undefined) {
        // The log is created before any lane. Beside payload bytes it was lost, and an empty log would truncate them
        // all.
        const lost = (await readdir(this.folder)).some((name) => name.startsWith('lane_'))
        if (index.height > 0 || lost) throw corrupt(1, path, 'the file is missing')
        this.log = await LogFile.create(path)
        return
      }
      this.log = scanned.log
      const { damagedAt } = scanned.log
      if (damagedAt !== undefined || scanned.isMisplaced) {
        const isHead = damagedAt !== undefined && damagedAt < LOG_HEADER_BYTES
        throw corrupt(isHead ? 1 : index.height + 1, path, 'its header record is damaged')
      }
      if (scanned.termsAt === undefined) break
      // The terms are before the first frame that was read; it is read again with them.
      await this.termsOf(scanned.termsAt, index.height + 1)
      await scanned.log.close()
      this.log = undefined
    }
  }

  /** Index the records after the end of the index, until a record requires unknown terms. */
  private async scan() {
    let isMisplaced = false
    let termsAt: number | undefined
    const add = (payload: Buffer, offset: number, length: number): void => {
      if (isMisplaced || termsAt !== undefined) return
      const height = this.index.height + 1
      const { record, packed } = openPayload(payload) ?? {}
      isMisplaced = (record?.header ?? packed)?.height !== height
      if (isMisplaced) return
      const back = packed?.termsBack ?? 0
      const terms = packed?.terms ?? this.terms.get(height - back)
      if (packed !== undefined && terms === undefined) termsAt = height - back
      else {
        const { header } = record ?? unpack(packed as PackedRecord, this.hashBefore(height), terms as Terms)
        this.add(header, { offset, length }, packed && height - back)
      }
    }
    return { log: await LogFile.open(this.path, add, this.index.endOffset), isMisplaced, termsAt }
  }
}
