/** Owns an immutable state of one height, from which snapshots of a running node are created. */
import { sameBytes } from '../base/bytes.js'
import type { CodecContext } from '../codec/index.js'
import type { StateView } from './backend.js'
import type { BucketDepths } from './bucket-depths.js'
import type { Head } from './head.js'
import { numberOfDbKey, rowDbKey, SPACE } from './key-space.js'
import { leafCount, leafKey, leafValue, valueIn } from './leaf-page.js'
import { LeafSum } from './leaf-sum.js'
import { keyHashOf, valueHashOf } from './proof.js'
import { rowKey, type TableDef } from './table.js'
import { TreeStore } from './tree-store.js'
import { ViewReads } from './view-reads.js'

/** Stored row: its key as bytes, and its record. */
export interface StoredRow {
  readonly key: Buffer
  readonly bytes: Buffer
}

/** Number of rows, or leaf pages, between two steps of a pass. */
const ENTRIES_PER_STEP = 16

/** State after one block. The caller closes it before the underlying store. */
export class FrozenState extends ViewReads {
  constructor(
    view: StateView,
    private readonly head: Head,
    private readonly depths: BucketDepths,
    private readonly context: CodecContext | undefined,
  ) {
    super(view)
  }

  get height(): number {
    return this.head.height
  }

  get root(): Buffer {
    return this.head.root
  }

  /** Record of a row; undefined if it does not exist. */
  get<K, V>(table: TableDef<K, V>, key: K): V | undefined {
    const bytes = this.view.getSync(rowDbKey(rowKey(table, key)))
    if (bytes === undefined) return undefined
    const decoded = table.value.decode(bytes, this.context)
    if (!decoded.ok) throw new Error(`table ${table.name}: a record in the database does not decode`)
    return decoded.value
  }

  /** All rows in byte order of their keys; awaits `step` at intervals. */
  async *rows(step: () => Promise<void>): AsyncIterable<StoredRow> {
    for await (const [key, bytes] of this.paced(SPACE.row, step)) yield { key: key.subarray(1), bytes }
  }

  /** Add the tree leaf of a row to a sum. */
  static addTo(sum: LeafSum, { key, bytes }: StoredRow): void {
    sum.add(keyHashOf(key), valueHashOf(bytes))
  }

  /** Sum of all leaves in the pages of the tree; undefined if a leaf is in the page of another bucket. */
  async leafSum(step: () => Promise<void>): Promise<LeafSum | undefined> {
    const sum = new LeafSum()
    for await (const [key, page] of this.paced(SPACE.page, step)) {
      const number = numberOfDbKey(key)
      for (let at = 0; at < leafCount(page); at += 1) {
        const keyHash = leafKey(page, at)
        if (this.depths.numberOf(this.depths.bucketOf(keyHash)) !== number) return undefined
        sum.add(keyHash, leafValue(page, at))
      }
    }
    return sum
  }

  /** First row that does not match the leaf pages of the tree; undefined if only leaves without a row are wrong. */
  async damagedRow(step: () => Promise<void>): Promise<StoredRow | undefined> {
    for await (const stored of this.rows(step)) if (!this.isProven(stored)) return stored
    return undefined
  }

  private isProven({ key, bytes }: StoredRow): boolean {
    const keyHash = keyHashOf(key)
    const page = this.view.getSync(TreeStore.pageKey(this.depths, this.depths.bucketOf(keyHash)))
    const recorded = page === undefined ? undefined : valueIn(page, keyHash)
    return recorded !== undefined && sameBytes(valueHashOf(bytes), recorded)
  }

  private async *paced(space: number, step: () => Promise<void>): AsyncIterable<readonly [Buffer, Buffer]> {
    let count = 0
    for await (const entry of this.view.range({ gte: Buffer.of(space), lt: Buffer.of(space + 1) })) {
      yield entry
      count += 1
      if (count % ENTRIES_PER_STEP === 0) await step()
    }
  }
}
