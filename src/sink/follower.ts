/**
 * Owns the way of blocks into a warehouse: read from a gateway, verified, made into rows, written a batch at a time together
 * with the cursor. Whatever ends, it goes on from the cursor: nothing twice, nothing left out.
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
import type { Cursor, Warehouse } from './warehouse.js'

/** Rows after which a batch is written: what a transaction of a database takes well. */
const BATCH_ROWS = 20_000
/** Blocks of a batch at most: empty ones have few rows. */
const BATCH_BLOCKS = 500
/** Bodies and events of a batch, in bytes: decoded and as rows, they take some ten times as much memory. */
export const BATCH_BYTES = 16 * 1024 * 1024
/** How long a batch waits for further blocks when none is there, in ms. */
const IDLE_MS = 50

/** What a follower tells of its way. */
export interface Followed {
  /** Last block that is written. */
  readonly height: number
  /** Rows that this batch added. */
  readonly rows: number
  readonly blocks: number
}

export interface FollowOptions {
  readonly client: CausewayClient
  readonly warehouse: Warehouse
  readonly naming: Naming
  /** Last height to write; undefined: it goes on with the chain. */
  readonly until: number | undefined
  readonly signal: AbortSignal
  readonly onBatch: (followed: Followed) => void
}

const pruned = (from: number, to: number): LedgerError =>
  new LedgerError('history_pruned', `the node does not have blocks ${from} to ${to}`, {
    hint: 'It is pruned, or began by a snapshot. Give another node with --gateway, one that has the whole chain.',
    details: { first_height: to + 1 },
  })

const placeOf = ({ place }: Cursor): ChainPlace => {
  const decoded = chainPlace.decode(Buffer.from(place, 'hex'))
  if (!decoded.ok) throw new LedgerError('sink_conflict', `the cursor does not decode: ${decoded.fault.message}`)
  return decoded.value
}

/** The genesis that a warehouse follows. Throws `sink_conflict` where it follows another chain. */
function genesisOf(
  cursor: Cursor | undefined,
  shown: { readonly chain: string; readonly genesisHash: string },
): string {
  if (cursor !== undefined && cursor.genesisHash !== shown.genesisHash) {
    throw new LedgerError(
      'sink_conflict',
      `the tables hold chain ${cursor.chain} with genesis ${cursor.genesisHash}; the gateway serves ${shown.chain} with ${shown.genesisHash}`,
      { hint: 'Give the gateway of that chain, or another schema or file.' },
    )
  }
  return shown.genesisHash
}

/** Waits for the next item, but not for long: undefined when none came in time. */
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

/** Follows until the signal is raised or `until` is written. Rejects with what ended it; it may be called again. */
export async function follow(options: FollowOptions): Promise<void> {
  const { client, warehouse, naming, until, signal, onBatch } = options
  const cursor = await warehouse.cursor()
  const { chain, genesisHash } = await client.chain()
  const shown = { chain, genesisHash: toHex(genesisHash) }
  const genesis = genesisOf(cursor, shown)
  const crypto = await InlineCrypto.create()
  const verifier = new ChainVerifier(
    Buffer.from(genesis, 'hex'),
    crypto,
    (height) =>
      client.route(routes.explorer.finality, {
        params: { height },
        // The step of this height alone: what is below was verified.
        query: { from: height > FIRST_VOTED_HEIGHT ? height - 1 : undefined },
      }),
    cursor === undefined ? undefined : placeOf(cursor),
  )
  const running = new RunningBalances(warehouse)
  const maker = new EventMaker(naming.codec, naming.errorName)
  let written = cursor?.height ?? 0
  if (until !== undefined && written >= until) return

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
        `block ${height} has records that this release does not know: ${body.fault.message}`,
        {
          hint: 'Use the release of the nodes, or a newer one.',
        },
      )
    }
    return { block, outcome, committee, body: body?.value, events: maker.ofBlock({ block, outcome }) }
  }

  const write = async (batch: readonly DecodedBlock[]): Promise<void> => {
    const last = batch.at(-1)?.block.header
    const { place } = verifier
    if (last === undefined || place === undefined) return
    const rows = new Map<Table, Row[]>()
    let added = 0
    const add = (table: Table, row: Row): void => {
      const known = rows.get(table)
      if (known === undefined) rows.set(table, [row])
      else known.push(row)
      added += 1
    }
    await running.load(batch, naming)
    for (const block of batch) {
      ledgerRows(block, naming, add)
      running.rows(block, naming, add)
    }
    const next = {
      chain,
      genesisHash: genesis,
      height: last.height,
      hash: toHex(hashOfHeader(last)),
      place: toHex(chainPlace.encode(place)),
    }
    await warehouse.write(rows, next, written)
    written = last.height
    onBatch({ height: written, rows: added, blocks: batch.length })
  }

  // A read that waits ends with its connection.
  const stop = new AbortController()
  const leave = (): void => stop.abort()
  signal.addEventListener('abort', leave, { once: true })
  const blocks = client.storedBlocks({ fromHeight: written + 1, signal: stop.signal })
  const read = (): ReturnType<typeof blocks.next> => {
    const next = blocks.next()
    // It may fail while a block is verified or a batch written, when nobody waits for it: who waits next is told.
    next.catch(() => undefined)
    return next
  }
  try {
    let waiting = read()
    let batch: DecodedBlock[] = []
    let events = 0
    let bytes = 0
    const flush = async (): Promise<void> => {
      await write(batch)
      batch = []
      events = 0
      bytes = 0
    }
    for (;;) {
      const item = batch.length === 0 ? await waiting : await soon(waiting)
      if (item === undefined) {
        await flush()
        continue
      }
      if (item.done === true) break
      if (item.value.kind === 'gap') throw pruned(item.value.value.from, item.value.value.to)
      waiting = read()
      const block = await decode(item.value.value)
      batch.push(block)
      events += block.events.length
      bytes += block.events.reduce((all, { text }) => all + text.length, block.block.body.length)
      const isLast = until !== undefined && block.block.header.height >= until
      // A transfer makes five rows and three events.
      if (isLast || batch.length >= BATCH_BLOCKS || events * 2 >= BATCH_ROWS || bytes >= BATCH_BYTES) await flush()
      if (isLast) return
    }
    await write(batch)
  } finally {
    signal.removeEventListener('abort', leave)
    leave()
    await blocks.return(undefined).catch(() => undefined)
    await crypto.close()
  }
}
