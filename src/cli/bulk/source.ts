/** Owns the reading of many transactions from one file: a line of JSON each, or codec frames one after another. */
import type { ByteSource } from '../input/byte-source.js'
import { INPUT_MAX_BYTES } from '../input/input.js'
import { FRAME_MAGIC } from '../transaction/file.js'

/** Transaction of the file. */
export interface BulkItem {
  /** Position in the file: `line 7` or `transaction 7`. */
  readonly place: string
  readonly bytes: Buffer
}

/** Transactions of a source in order. Throws a codec error for a truncated frame. */
export async function* bulkItems(source: ByteSource): AsyncGenerator<BulkItem, void> {
  const isFramed = (await source.peek(FRAME_MAGIC.length)).equals(FRAME_MAGIC)
  yield* isFramed ? framed(source) : lines(source)
}

async function* framed(source: ByteSource): AsyncGenerator<BulkItem, void> {
  const { FRAME_HEADER_BYTES, readFrameHeader } = await import('../../codec/index.js')
  const { LedgerError } = await import('../../model/errors.js')
  for (let count = 1; ; count += 1) {
    const head = await source.peek(FRAME_HEADER_BYTES)
    if (head.length === 0) return
    const place = `transaction ${count}`
    const header = readFrameHeader(head, { checksum: true, maxBytes: INPUT_MAX_BYTES })
    if (!header.ok) throw new LedgerError(header.fault.code, `${source.name}: ${place}: ${header.fault.message}`)
    yield { place, bytes: await source.take(FRAME_HEADER_BYTES + header.value.length) }
  }
}

async function* lines(source: ByteSource): AsyncGenerator<BulkItem, void> {
  for (let count = 1; ; count += 1) {
    const bytes = await source.line(INPUT_MAX_BYTES)
    if (bytes === undefined) return
    if (bytes.toString('latin1').trim() !== '') yield { place: `line ${count}`, bytes }
  }
}
