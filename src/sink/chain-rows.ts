/**
 * Owns the conversion of gateway blocks to rows: blocks are read, verified, decoded, and converted in batches. Sinks
 * write the rows, `sink verify` compares them.
 */
import type { StoredBlockMessage } from '../api/index.js'
import { type ChainPlace, ChainVerifier, chainPlace } from '../client/chain-verifier.js'
import { type CausewayClient, routes } from '../client/index.js'
import { toHex } from '../codec/index.js'
import { InlineCrypto } from '../crypto/index.js'
import { EventMaker } from '../events/block-events.js'
import { blockBody, FIRST_VOTED_HEIGHT, GENESIS_HEIGHT, hashOfHeader, LedgerError } from '../model/index.js'
import { RunningBalances } from './balance-rows.js'
import { type DecodedBlock, ledgerRows, type Naming } from './ledger-rows.js'
import type { Row, Table } from './tables.js'
import type { Cursor, Rows, Warehouse } from './warehouse.js'

/** Number of rows that ends a batch, a suitable size for a database transaction. */
const BATCH_ROWS = 20_000
/** Maximum blocks of a batch; empty blocks have few rows. */
const BATCH_BLOCKS = 500
/** Maximum bodies and events of a batch, in bytes; decoded and as rows, they need about ten times as much memory. */
export const BATCH_BYTES = 16 * 1024 * 1024
/** Maximum wait for further blocks of a batch, in ms. */
const IDLE_MS = 50

/** Rows of consecutive blocks. */
export interface ChainBatch {
  readonly rows: Rows
  /** Number of rows. */
  readonly count: number
  readonly blocks: number
  /** Height of the first block. */
  readonly first: number
  /** Position after the last block. */
  readonly cursor: Cursor
}

export interface ChainRead {
  readonly client: CausewayClient
  readonly naming: Naming
  /** Source of balances and supplies before a batch. */
  readonly balances: Pick<Warehouse, 'balances' | 'supplies'>
  /** Position after the last skipped block; undefined to start with genesis. */
  readonly after: Cursor | undefined
  /** Last height; undefined to follow the chain. */
  readonly until: number | undefined
  readonly signal: AbortSignal
}

const pruned = (from: number, to: number): LedgerError =>
  new LedgerError('history_pruned', `the node does not have blocks ${from} to ${to}`, {
    hint: 'It is pruned, or started from a snapshot. Use a node with the whole chain: --gateway.',
    details: { first_height: to + 1 },
  })

const placeOf = ({ place }: Cursor): ChainPlace => {
  const decoded = chainPlace.decode(Buffer.from(place, 'hex'))
  if (!decoded.ok) throw new LedgerError('sink_conflict', `the cursor does not decode: ${decoded.fault.message}`)
  return decoded.value
}

/** Chain of a gateway. Throws `sink_conflict` if a cursor belongs to another chain. */
export async function chainOf(
  client: CausewayClient,
  cursor: Cursor | undefined,
): Promise<Pick<Cursor, 'chain' | 'genesisHash'>> {
  const { chain, genesisHash } = await client.chain()
  const shown = { chain, genesisHash: toHex(genesisHash) }
  if (cursor !== undefined && cursor.genesisHash !== shown.genesisHash) {
    throw new LedgerError(
      'sink_conflict',
      `the tables contain chain ${cursor.chain} with genesis ${cursor.genesisHash}, but the gateway serves ${chain} with ${shown.genesisHash}`,
      { hint: 'Use the gateway of that chain, or another schema or file.' },
    )
  }
  return shown
}

/** The next item, or undefined if it does not arrive within a short time. */
async function soon<T>(next: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const idle = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), IDLE_MS)
  })
  try {
    return await Promise.race([next, idle])
  } finally {
    clearTimeout(timer)
  }
}

/** Collects blocks and creates the rows of a batch. */
class BatchMaker {
  private blocks: DecodedBlock[] = []
  private events = 0
  private bytes = 0

  constructor(
    private readonly running: RunningBalances,
    private readonly naming: Naming,
    private readonly verifier: ChainVerifier,
    private readonly chain: Pick<Cursor, 'chain' | 'genesisHash'>,
  ) {}

  get isEmpty(): boolean {
    return this.blocks.length === 0
  }

  get isFull(): boolean {
    // A transfer makes five rows and three events.
    return this.blocks.length >= BATCH_BLOCKS || this.events * 2 >= BATCH_ROWS || this.bytes >= BATCH_BYTES
  }

  add(block: DecodedBlock): void {
    this.blocks.push(block)
    this.events += block.events.length
    this.bytes += block.events.reduce((all, { text }) => all + text.length, block.block.body.length)
  }

  /** Return the batch and empty the maker; undefined if there was no block. */
  async take(): Promise<ChainBatch | undefined> {
    const { blocks, naming, running } = this
    const [first, last] = [blocks[0]?.block.header, blocks.at(-1)?.block.header]
    const { place } = this.verifier
    if (first === undefined || last === undefined || place === undefined) return undefined
    const rows = new Map<Table, Row[]>()
    let count = 0
    const add = (table: Table, row: Row): void => {
      const known = rows.get(table)
      if (known === undefined) rows.set(table, [row])
      else known.push(row)
      count += 1
    }
    await running.load(blocks, naming)
    for (const block of blocks) {
      ledgerRows(block, naming, add)
      running.rows(block, naming, add)
    }
    this.blocks = []
    this.events = 0
    this.bytes = 0
    const cursor = {
      ...this.chain,
      height: last.height,
      hash: toHex(hashOfHeader(last)),
      place: toHex(chainPlace.encode(place)),
    }
    return { rows, count, blocks: blocks.length, first: first.height, cursor }
  }
}

/**
 * Rows of verified blocks in batches, until the signal is aborted or the last height is reached. A batch is requested
 * after the previous one is processed, because its balances are read from rows of earlier blocks. Throws the error that
 * ended the iteration.
 */
export async function* chainRows(read: ChainRead): AsyncGenerator<ChainBatch, void> {
  const { client, naming, after, until, signal } = read
  const chain = await chainOf(client, after)
  const done = after?.height ?? 0
  if (until !== undefined && done >= until) return
  const crypto = await InlineCrypto.create()
  const verifier = new ChainVerifier(
    Buffer.from(chain.genesisHash, 'hex'),
    crypto,
    (height) =>
      client.route(routes.explorer.finality, {
        params: { height },
        // Consecutive blocks from this height on, because earlier ones were verified.
        query: { from: height > FIRST_VOTED_HEIGHT ? height - 1 : undefined },
      }),
    after === undefined ? undefined : placeOf(after),
  )
  const events = new EventMaker(naming.codec, naming.errorName)
  const decode = async ({
    block,
    outcome,
  }: Extract<StoredBlockMessage, { kind: 'block' }>['value']): Promise<DecodedBlock> => {
    const committee = await verifier.take(block, outcome)
    const { height } = block.header
    const body = height === GENESIS_HEIGHT ? undefined : blockBody.decode(block.body, naming.codec)
    if (body?.ok === false) {
      throw new LedgerError(
        'abi_missing',
        `block ${height} contains records unknown to this release: ${body.fault.message}`,
        {
          hint: 'Use the release of the nodes, or a newer one.',
        },
      )
    }
    return { block, outcome, committee, body: body?.value, events: events.ofBlock({ block, outcome }) }
  }

  // A pending read ends with its connection.
  const stop = new AbortController()
  const leave = (): void => stop.abort()
  signal.addEventListener('abort', leave, { once: true })
  const blocks = client.storedBlocks({ fromHeight: done + 1, signal: stop.signal })
  const next = (): ReturnType<typeof blocks.next> => {
    const item = blocks.next()
    // It may fail while a block is verified or a batch is processed, with no pending wait: the next wait rejects.
    item.catch(() => undefined)
    return item
  }
  try {
    const maker = new BatchMaker(new RunningBalances(read.balances), naming, verifier, chain)
    for (let waiting = next(); ; ) {
      const item = maker.isEmpty ? await waiting : await soon(waiting)
      const message = item?.value
      if (message?.kind === 'gap') throw pruned(message.value.from, message.value.to)
      const isBlock = item?.done !== true && message !== undefined
      if (isBlock) {
        waiting = next()
        maker.add(await decode(message.value))
      }
      const isLast = item?.done === true || (isBlock && message.value.block.header.height === until)
      const batch = !isBlock || isLast || maker.isFull ? await maker.take() : undefined
      if (batch !== undefined) yield batch
      if (isLast) return
    }
  } finally {
    signal.removeEventListener('abort', leave)
    leave()
    await blocks.return(undefined).catch(() => undefined)
    await crypto.close()
  }
}
