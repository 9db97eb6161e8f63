/**
 * Owns files of blocks: concatenated codec frames or NDJSON, optionally compressed; written atomically, read block by
 * block.
 */
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { StreamedBlock } from '../../api/index.js'
import type { CausewayClient } from '../../client/index.js'
import type { CodecContext, Decoded } from '../../codec/index.js'
import { OWNER_ONLY, unwritable } from '../../files/write-file.js'
import { LedgerError } from '../../model/index.js'
import type { ByteSource } from '../input/byte-source.js'
import { INTERRUPTED } from '../terminal/interrupt.js'
import { blocksOf } from './block.js'

/** Maximum line length of an NDJSON file, in bytes: the JSON of a block is several times as long as its bytes. */
const LINE_MAX_BYTES = 256 * 1024 * 1024
const OPENING_BRACE = 0x7b

/** Heights of an export. */
export interface ExportRange {
  readonly from: number
  readonly to: number
  readonly json: boolean
}

/** Suffix of compressed files. */
const PACKED = '.gz'

type Write = (bytes: Buffer) => Promise<unknown>

/**
 * Write blocks to a new file or, for `-`, to standard output; returns the number of blocks and the bytes of the file.
 * Throws `file_exists`, `history_pruned`.
 */
export async function exportBlocks(
  client: CausewayClient,
  path: string,
  { from, to, json }: ExportRange,
  onBlock: (height: number) => void,
): Promise<{ readonly blocks: number; readonly bytes: number }> {
  const { BLOCK_MESSAGE_FRAME, streamedBlock } = await import('../../api/index.js')
  const codec = await client.codec()
  const encoded = (value: StreamedBlock): Buffer =>
    json
      ? Buffer.from(`${JSON.stringify(streamedBlock.toJson(value, codec))}\n`)
      : BLOCK_MESSAGE_FRAME.seal({ kind: 'block', value }, codec)
  const done = { blocks: 0, bytes: 0 }
  async function* pieces(): AsyncGenerator<Buffer, void> {
    for await (const block of blocksOf(client, from, to)) {
      yield encoded(block)
      done.blocks += 1
      onBlock(block.header.height)
    }
  }
  const writeAll = async (bytes: AsyncIterable<Buffer>, write: Write): Promise<void> => {
    for await (const piece of bytes) {
      done.bytes += piece.length
      await write(piece)
    }
  }
  if (path === '-') {
    await writeAll(pieces(), async (bytes) => process.stdout.write(bytes) || (await once(process.stdout, 'drain')))
  } else {
    await intoNewFile(path, (write) =>
      path.endsWith(PACKED)
        ? pipeline(pieces, createGzip(), (packed: AsyncIterable<Buffer>) => writeAll(packed, write))
        : writeAll(pieces(), write),
    )
  }
  return done
}

async function intoNewFile<T>(path: string, work: (write: Write) => Promise<T>): Promise<T> {
  const draft = `${path}.part`
  // The name is reserved first, so that an export never overwrites another file.
  await (await open(path, 'wx', OWNER_ONLY).catch(refuseExisting(path))).close()
  // An interrupted export leaves neither a partial file nor its name.
  const interrupted = (): void => {
    for (const name of [draft, path]) rmSync(name, { force: true })
    process.exit(INTERRUPTED)
  }
  process.once('SIGINT', interrupted)
  try {
    // Left by a killed run, or planted: only this release writes to the name.
    await rm(draft, { force: true })
    const file = await open(draft, 'wx', OWNER_ONLY)
    try {
      const result = await work((bytes) => file.writeFile(bytes))
      await file.sync()
      await rename(draft, path)
      return result
    } finally {
      await file.close()
    }
  } catch (error) {
    await rm(draft, { force: true })
    await rm(path, { force: true })
    throw error
  } finally {
    process.off('SIGINT', interrupted)
  }
}

const refuseExisting =
  (path: string) =>
  (error: NodeJS.ErrnoException): never => {
    if (error.code === 'EEXIST') throw new LedgerError('file_exists', `${path} already exists`)
    throw unwritable(path, error)
  }

/**
 * Blocks of a file written by `block export`, in either form, in file order. Throws the codec's code with the position
 * if a block is truncated or corrupt.
 */
export async function* readBlocks(source: ByteSource, codec: CodecContext): AsyncGenerator<StreamedBlock, void> {
  await source.unpack()
  const [first] = await source.peek(1)
  if (first === undefined) throw new LedgerError('truncated', `${source.name}: the file contains no block`)
  yield* first === OPENING_BRACE ? blocksOfLines(source, codec) : blocksOfFrames(source, codec)
}

async function* blocksOfFrames(source: ByteSource, codec: CodecContext): AsyncGenerator<StreamedBlock, void> {
  const { FRAME_HEADER_BYTES, readFrameHeader } = await import('../../codec/index.js')
  const { BLOCK_MESSAGE_FRAME } = await import('../../api/index.js')
  for (;;) {
    const at = source.taken
    const head = await source.peek(FRAME_HEADER_BYTES)
    if (head.length === 0) return
    const header = soundOf(readFrameHeader(head, { checksum: true }), source, at)
    const frame = await source.take(FRAME_HEADER_BYTES + header.length)
    const message = soundOf(BLOCK_MESSAGE_FRAME.open(frame, codec), source, at)
    if (message.kind === 'gap') throw new LedgerError('bad_value', `${source.name}: byte ${at}: expected a block`)
    yield message.value
  }
}

async function* blocksOfLines(source: ByteSource, codec: CodecContext): AsyncGenerator<StreamedBlock, void> {
  const { streamedBlock } = await import('../../api/index.js')
  for (;;) {
    const at = source.taken
    const line = await source.line(LINE_MAX_BYTES)
    if (line === undefined) return
    if (line.length === 0) continue
    yield soundOf(streamedBlock.parseJson(line, codec, { maxBytes: LINE_MAX_BYTES }), source, at)
  }
}

/** Decoded value; throws the fault with the offset in the file at which its block begins. */
function soundOf<T>(decoded: Decoded<T>, source: ByteSource, at: number): T {
  if (decoded.ok) return decoded.value
  const { code, message, path } = decoded.fault
  const place = path === undefined || path === '' ? '' : `${path}: `
  throw new LedgerError(code, `${source.name}: the block at byte ${at}: ${place}${message}`, { details: { byte: at } })
}
