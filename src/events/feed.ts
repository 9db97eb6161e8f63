/** Owns the shared view of the chain for all readers: recently requested blocks, each decoded and encoded once. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  BLOCK_MESSAGE_FRAME,
  type BlockMessage,
  blockMessage,
  STORED_BLOCK_MESSAGE_FRAME,
  type StoredBlockMessage,
  type StreamedBody,
  storedBlockMessage,
} from '../api/index.js'
import type { BlockHistory, PendingChange, StoredBlock } from '../api/services.js'
import { type CodecContext, lazyFromBytes } from '../codec/index.js'
import { blockBody, GENESIS_HEIGHT, hashOfHeader } from '../model/index.js'
import { EventMaker } from './block-events.js'
import type { EventItem, StreamFormat } from './event-item.js'
import { CACHE_BLOCKS, CACHE_BYTES, READ_BLOCKS } from './limits.js'
import { binaryFrame, textFrame } from './message-frame.js'

/** Block with its cached encodings. */
export class FeedBlock {
  readonly height: number
  /** Size in bytes without the encodings. */
  readonly bytes: number
  private items: readonly EventItem[] | undefined
  private readonly events: { [format in StreamFormat]?: Buffer } = {}
  private readonly blocks: { [format in Exclude<StreamFormat, 'sse'>]?: Buffer } = {}
  private readonly storedBlocks: { [format in Exclude<StreamFormat, 'sse'>]?: Buffer } = {}

  constructor(
    private readonly stored: StoredBlock,
    private readonly maker: EventMaker,
    private readonly codec: CodecContext,
  ) {
    const { header, body } = stored.block
    this.height = header.height
    this.bytes = body.length + EVENT_BYTES * stored.outcome.events.length
  }

  /** Results of its entries, in their order. */
  get results(): StoredBlock['outcome']['results'] {
    return this.stored.outcome.results
  }

  /** Its events in order. */
  get eventItems(): readonly EventItem[] {
    this.items ??= this.maker.ofBlock(this.stored)
    return this.items
  }

  /** Bytes of all its events. */
  eventBytes(format: StreamFormat): Buffer {
    this.events[format] ??= Buffer.concat(this.eventItems.map((item) => item.bytes(format)))
    return this.events[format]
  }

  /** Frame of the block itself. */
  blockBytes(format: Exclude<StreamFormat, 'sse'>): Buffer {
    this.blocks[format] ??= this.encode(format)
    return this.blocks[format]
  }

  /** Frame of the block as it is stored. */
  storedBytes(format: Exclude<StreamFormat, 'sse'>): Buffer {
    this.storedBlocks[format] ??= this.encodeStored(format)
    return this.storedBlocks[format]
  }

  private encodeStored(format: Exclude<StreamFormat, 'sse'>): Buffer {
    const message: StoredBlockMessage = { kind: 'block', value: this.stored }
    return format === 'binary'
      ? binaryFrame(STORED_BLOCK_MESSAGE_FRAME.seal(message, this.codec))
      : textFrame(JSON.stringify(storedBlockMessage.toJson(message, this.codec)))
  }

  private encode(format: Exclude<StreamFormat, 'sse'>): Buffer {
    const { block, outcome } = this.stored
    const { header, certificate } = block
    const value = { hash: hashOfHeader(header), header, certificate, body: this.body(), results: outcome.results }
    const message: BlockMessage = { kind: 'block', value }
    return format === 'binary'
      ? binaryFrame(BLOCK_MESSAGE_FRAME.seal(message, this.codec))
      : textFrame(JSON.stringify(blockMessage.toJson(message, this.codec)))
  }

  private body(): StreamedBody {
    const { body, header } = this.stored.block
    if (header.height === GENESIS_HEIGHT) return { kind: 'genesis', value: body }
    const checked = lazyFromBytes(blockBody, body, this.codec)
    if (!checked.ok) throw new Error(`the body of block ${header.height} does not decode: ${checked.fault.message}`)
    return { kind: 'block', value: checked.value }
  }
}

/** Approximate memory of a decoded event, in bytes. */
const EVENT_BYTES = 512

export class Feed {
  private readonly cache = new Map<number, FeedBlock>()
  private bytes = 0
  private readonly reading = new Map<number, Promise<readonly FeedBlock[]>>()

  private readonly maker: EventMaker

  constructor(
    private readonly history: BlockHistory,
    private readonly codec: CodecContext,
  ) {
    this.maker = new EventMaker(codec, (code) => history.errorName(code))
  }

  /** Event of a transaction that is not in a block. */
  pending(change: PendingChange): EventItem {
    return this.maker.ofPending(change)
  }

  /**
   * Consecutive blocks from a height up to the tip, several at a time; they begin higher if the height is below a
   * snapshot.
   */
  from(height: number): Promise<readonly FeedBlock[]> {
    const known: FeedBlock[] = []
    for (let block = this.cache.get(height); block !== undefined; block = this.cache.get(height + known.length)) {
      known.push(block)
    }
    if (known.length > 0) return Promise.resolve(known)
    // Readers that wait for the same block share one response.
    const under = this.reading.get(height) ?? this.read(height).finally(() => this.reading.delete(height))
    this.reading.set(height, under)
    return under
  }

  /**
   * Pass consecutive blocks from a height on to `show`, until it needs no more; false if there are none. Yields to
   * other work between two blocks, because decoding one may take many milliseconds.
   */
  async walk(height: number, show: (block: FeedBlock) => boolean | Promise<boolean>): Promise<boolean> {
    const blocks = await this.from(height)
    for (const [at, block] of blocks.entries()) {
      if (at > 0) await nextTurn()
      if (!(await show(block))) break
    }
    return blocks.length > 0
  }

  private async read(height: number): Promise<readonly FeedBlock[]> {
    const stored = await this.history.read(height, READ_BLOCKS)
    const blocks = stored.map((one) => new FeedBlock(one, this.maker, this.codec))
    // The requested block is set last, so that it stays longest.
    for (const block of blocks.toReversed()) this.keep(block)
    return blocks
  }

  private keep(block: FeedBlock): void {
    if (this.cache.has(block.height)) return
    this.cache.set(block.height, block)
    this.bytes += block.bytes
    for (const [oldest, { bytes }] of this.cache) {
      if (this.cache.size <= CACHE_BLOCKS && this.bytes <= CACHE_BYTES) return
      // A block that exceeds the limit alone stays in the cache: otherwise each request would encode it again.
      if (this.cache.size === 1) return
      this.cache.delete(oldest)
      this.bytes -= bytes
    }
  }
}
