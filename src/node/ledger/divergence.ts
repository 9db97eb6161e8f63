/**
 * Owns the report of a divergence: the block, the results of this node, and the first differing row, key and
 * instruction, as far as this node can determine them alone.
 *
 * The results of this node are known completely, but only the roots of the other side, since old states are not stored.
 * A row changed on disk is detected, because the state tree still has the hash of the committed row. If the tree
 * confirms every row, the blocks must be executed again from genesis: `causeway block replay --explain`.
 */
import { readdir, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { errorMessage } from '../../base/thrown.js'
import type { CodecContext, Json } from '../../codec/index.js'
import type { Abi } from '../../executor/index.js'
import { unwritable } from '../../files/write-file.js'
import { type BlockHeader, hashOfHeader, LedgerError } from '../../model/index.js'
import {
  type CandidateRow,
  type DamagedRow,
  damagedRows,
  type RowKey,
  rowDamage,
  type WorldState,
} from '../../state/index.js'
import { failPoint, replaceFile } from '../../storage/index.js'
import { describeRow, describeValue, VALUE_MAX_BYTES } from '../chain/rows.js'
import type { ReportFault } from './protocol.js'
import type { Touch } from './trace.js'

/** Maximum rows of each kind in a report: enough to show the pattern. */
const ROWS_MAX = 256
/** Maximum reports in one data directory; the oldest are removed, since a faulty proposer can cause one per height. */
const REPORTS_MAX = 32

const FIELDS = [
  'stateRoot',
  'resultsRoot',
  'transactionsRoot',
  'evidenceRoot',
  'laneCommitmentRoot',
  'parentCertificateHash',
  'payloadHash',
] as const

/** Data about a refused block. */
export interface Divergence {
  readonly abi: Abi
  readonly codec: CodecContext
  /** State before the block. */
  readonly world: WorldState
  readonly header: BlockHeader
  /** True if the block has a commit certificate, so that this node is wrong. */
  readonly certified: boolean
  readonly detail: string
  /** Header with the roots that this node computed; undefined if execution did not complete. */
  readonly own: BlockHeader | undefined
  /** Rows that the block changes on this node. */
  readonly changes: readonly CandidateRow[]
  /** Reads and writes of each instruction, in order. */
  readonly touches: readonly Touch[]
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

const describeTouch = (touch: Touch | undefined): Json =>
  touch === undefined
    ? null
    : { transaction: hex(touch.transaction), position: touch.position, instruction: touch.label, access: touch.kind }

/**
 * Damaged rows that the block reads or writes, in order of access; for a certified block, damaged rows of the whole
 * state.
 */
async function damageOf(divergence: Divergence): Promise<DamagedRow[]> {
  const { world, touches, changes, certified } = divergence
  const found = new Map<RowKey, DamagedRow>()
  // A block may access one row a million times: each row is checked once.
  for (const row of new Set([...touches, ...changes].map((one) => one.row))) {
    const damage = rowDamage(world, row)
    if (damage !== undefined) found.set(row, damage)
  }
  if (certified) for (const damage of await damagedRows(world, ROWS_MAX)) found.set(damage.row, damage)
  return [...found.values()].slice(0, ROWS_MAX)
}

/** Report of a divergence, and its summary in one sentence. */
export async function reportOf(divergence: Divergence): Promise<{ readonly report: Json; readonly summary: string }> {
  const { abi, codec, world, header, own, changes, touches } = divergence
  const damaged = await damageOf(divergence)
  const describe = (row: RowKey) => describeRow(abi, codec, row)
  const touchOf = (row: RowKey, kind?: Touch['kind']): Touch | undefined =>
    touches.find((one) => one.row === row && (kind === undefined || one.kind === kind))
  const roots = FIELDS.filter((field) => own !== undefined && hex(header[field]) !== hex(own[field]))
  const first = damaged[0]
  const report: Json = {
    version: 1,
    chain: header.chain,
    height: header.height,
    block_hash: hex(hashOfHeader(header)),
    certified: divergence.certified,
    detail: divergence.detail,
    state_before: { height: world.height, root: hex(world.root) },
    differing: roots.map((field) => ({
      field,
      block: hex(header[field]),
      computed: own === undefined ? '' : hex(own[field]),
    })),
    first_difference:
      first === undefined
        ? null
        : {
            ...describe(first.row),
            instruction: describeTouch(touchOf(first.row)),
            stored: describeValue(abi, codec, first.row, first.stored),
            stored_bytes: first.stored === undefined ? null : hex(first.stored.subarray(0, VALUE_MAX_BYTES)),
            committed_value_hash: first.recordedHash === undefined ? null : hex(first.recordedHash),
          },
    damaged_rows: damaged.map(({ row }) => describe(row)),
    changed_rows: changes.slice(0, ROWS_MAX).map(({ row, bytes }) => ({
      ...describe(row),
      before: describeValue(abi, codec, row, world.rowBytes(row)),
      after: describeValue(abi, codec, row, bytes),
      instruction: describeTouch(touchOf(row, 'write')),
    })),
    next: 'Stop the node and run `causeway block replay --data-dir DIR --explain`.',
  }
  return {
    report,
    summary: summaryOf(first === undefined ? undefined : describe(first.row), first && touchOf(first.row)),
  }
}

function summaryOf(row: ReturnType<typeof describeRow> | undefined, touch: Touch | undefined): string {
  if (row === undefined) return 'every row that the block touches matches the committed one'
  const by =
    touch === undefined ? '' : `, first read by ${touch.label} of transaction ${hex(touch.transaction).slice(0, 16)}`
  return `table ${row.table}, key ${JSON.stringify(row.key)}: the stored row differs from the committed one${by}`
}

const NAME = /^divergence-(\d+)-[0-9a-f]{8}\.json$/

/**
 * Write a report into the data directory and remove the oldest beyond the last `REPORTS_MAX`; returns its path, or the
 * reason of a failure, which does not affect the result of the block.
 */
export async function writeReport(
  folder: string,
  divergence: Divergence,
  report: Json,
): Promise<{ readonly path: string } | { readonly fault: ReportFault }> {
  const { header } = divergence
  const name = `divergence-${header.height}-${hex(hashOfHeader(header)).slice(0, 8)}.json`
  const path = join(folder, name)
  failPoint(210)
  try {
    await replaceFile(path, Buffer.from(`${JSON.stringify(report, undefined, 2)}\n`))
    failPoint(211)
    const others = (await readdir(folder)).filter((one) => NAME.test(one) && one !== name)
    const oldestFirst = others.toSorted((a, b) => heightIn(a) - heightIn(b))
    const dropped = oldestFirst.slice(0, Math.max(0, others.length + 1 - REPORTS_MAX))
    for (const old of dropped) await unlink(join(folder, old))
    return { path }
  } catch (error) {
    return { fault: faultOf(path, error) }
  }
}

function faultOf(path: string, error: unknown): ReportFault {
  const named = unwritable(path, error)
  if (named instanceof LedgerError) return { code: named.code, message: named.message }
  return { code: 'file_unwritable', message: `${path}: ${errorMessage(error)}` }
}

const heightIn = (name: string): number => Number(NAME.exec(name)?.[1])
