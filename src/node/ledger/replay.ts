/**
 * Owns the replay of stored blocks on a scratch state from genesis. It finds the block that does not reproduce its
 * certified roots, and the rows of the node's own state that differ from the replayed rows. The node's own state is
 * only read.
 */

import { join } from 'node:path'
import { type Abi, abiScheduleOf } from '../../executor/index.js'
import { GENESIS_HEIGHT, keyString, LedgerError, rejectionOf, type SignedGenesis } from '../../model/index.js'
import {
  type DifferingRow,
  differingRows,
  LevelBackend,
  type RowKey,
  stateHead,
  WorldState,
} from '../../state/index.js'
import { BlockStore } from '../../storage/index.js'
import { applyGenesis } from '../chain/genesis.js'
import { Ledger, type Replayed } from './ledger.js'
import { type Touch, tracedAbi } from './trace.js'

/** Maximum number of differing rows that are reported. */
const ROWS_MAX = 1_000

export interface ReplayOptions {
  /** Data directory; the caller holds its lock. */
  readonly folder: string
  /** Empty folder for the scratch state. */
  readonly scratch: string
  readonly genesis: SignedGenesis
  /** ABI of genesis, and every ABI of this release; default: the ABI of genesis alone. */
  readonly abi: Abi
  readonly abis?: ReadonlyMap<number, Abi>
  /** First height whose instructions are traced, default 2; earlier blocks are executed as well. */
  readonly from?: number | undefined
  /** Last height; default: height of the node's state. */
  readonly to?: number | undefined
  /** Trace every instruction, so that a differing row is reported with its last writer. */
  readonly explain: boolean
  readonly onBlock?: (height: number, target: number) => void
}

/** Last writer of a row: the height, and the instruction unless the block itself wrote it. */
export interface LastWrite {
  readonly height: number
  readonly touch: Touch | undefined
}

/** Row of the node's state that differs from the replayed row. */
export interface WrongRow {
  readonly row: RowKey
  readonly stored: Buffer | undefined
  readonly expected: Buffer | undefined
  /** Present if the replay traces and the row was changed within its range. */
  readonly lastWrite: LastWrite | undefined
}

export interface ReplayReport {
  /** Height of the node's state. */
  readonly stateHeight: number
  /** Last height reproduced with all its roots. */
  readonly reproduced: number
  readonly stateRoot: Buffer
  /** First block that was not reproduced; undefined if there is none. */
  readonly failed: { readonly height: number; readonly detail: string } | undefined
  /** Differing rows; undefined if the replay did not end at the height of the node's state. */
  readonly wrongRows: readonly WrongRow[] | undefined
}

const notFromGenesis = (folder: string, first: number): LedgerError =>
  new LedgerError('history_pruned', `${folder}: its blocks begin at height ${first}, but a replay begins at genesis`, {
    hint: 'Replay the data of a node that keeps all blocks; `causeway block import` creates it from exported blocks.',
    details: { first_height: first },
  })

/**
 * Execute the stored blocks again. Throws `storage_corrupt` for a corrupt block, `history_pruned` if blocks are pruned.
 */
export async function replayBlocks(options: ReplayOptions): Promise<ReplayReport> {
  const { folder, abi, genesis, explain } = options
  const store = await BlockStore.open(folder, {})
  const own = await LevelBackend.open(join(folder, 'state'))
  const scratch = await LevelBackend.open(options.scratch)
  try {
    const head = stateHead(own)
    if (head === undefined || store.height === 0)
      throw new LedgerError('storage_corrupt', `${folder} contains no chain`)
    if (store.firstHeight > GENESIS_HEIGHT) throw notFromGenesis(folder, store.firstHeight)
    const writes = new WriteLog(options.from ?? 2)
    const line = abiScheduleOf(explain ? writes.traced(options) : options)
    const context = line.abi.codec(genesis.payload.value.addressPrefix)
    const world = await WorldState.open({ backend: scratch, context })
    await applyGenesis(abi, genesis, world, store)
    const ledger = new Ledger(world, store, line)
    const to = Math.min(options.to ?? head.height, store.height)
    const failed = await run(ledger, writes, to, options)
    const done = failed === undefined && to === head.height
    const rows = done ? await differingRows(own, scratch, ROWS_MAX) : undefined
    return {
      stateHeight: head.height,
      reproduced: world.height,
      stateRoot: world.root,
      failed,
      wrongRows: rows?.map((row) => wrongRow(row, explain ? writes : undefined)),
    }
  } finally {
    await Promise.all([scratch.close(), own.close(), store.close()])
  }
}

async function run(
  ledger: Ledger,
  writes: WriteLog,
  to: number,
  options: ReplayOptions,
): Promise<ReplayReport['failed']> {
  for (let height = 2; height <= to; height += 1) {
    options.onBlock?.(height, to)
    try {
      const replayed = await ledger.replay(height)
      if (options.explain) writes.note(height, replayed)
    } catch (error) {
      if (!(error instanceof LedgerError) || error.code !== 'state_divergence') throw error
      return { height, detail: error.message }
    }
  }
  return undefined
}

const wrongRow = ({ row, left, right }: DifferingRow, writes: WriteLog | undefined): WrongRow => ({
  row,
  stored: left,
  expected: right,
  lastWrite: writes?.last.get(row),
})

/** Log of the last writer of each row. */
class WriteLog {
  readonly last = new Map<RowKey, LastWrite>()
  private block = new Map<RowKey, Touch[]>()

  constructor(private readonly from: number) {}

  /** ABIs whose instructions report their writes to this log. */
  traced({ abi, abis = new Map([[abi.number, abi]]) }: Pick<ReplayOptions, 'abi' | 'abis'>) {
    const traced = (one: Abi): Abi => tracedAbi(one, (touch) => this.touch(touch))
    return { abi: traced(abi), abis: new Map([...abis].map(([number, one]) => [number, traced(one)])) }
  }

  private touch(touch: Touch): void {
    if (touch.kind !== 'write') return
    const held = this.block.get(touch.row)
    if (held === undefined) this.block.set(touch.row, [touch])
    else held.push(touch)
  }

  /** Record the writes of an applied block; writes of rejected transactions were reverted. */
  note(height: number, { results, rows }: Replayed): void {
    const touches = this.block
    this.block = new Map()
    if (height < this.from) return
    const approved = new Set(
      results.flatMap((one) => (rejectionOf(one.outcome) === undefined ? [keyString(one.transactionId)] : [])),
    )
    for (const { row } of rows) {
      const touch = touches.get(row)?.findLast((one) => approved.has(keyString(one.transaction)))
      this.last.set(row, { height, touch })
    }
  }
}
