/** Owns the state of one height as it stays while the node goes on: what snapshots of a running node are made from. */
import type { CodecContext } from '../codec/index.js'
import { equalBytes } from '../crypto/bytes.js'
import type { KeyRange, StateView } from './backend.js'
import type { BucketDepths } from './bucket-depths.js'
import type { Head } from './head.js'
import { indexBounds, metaDbKey, prefixedDbKey, rowDbKey, SPACE } from './key-space.js'
import { valueIn } from './leaf-page.js'
import { keyHashOf, valueHashOf } from './proof.js'
import { type RowKey, rowKey, rowKeyBytes, type TableDef } from './table.js'
import { TreeStore } from './tree-store.js'

/** One stored row. */
export interface StoredRow {
  readonly row: RowKey
  readonly bytes: Buffer
}

/** The state after one block. Whoever has it closes it, before the store behind it is closed. */
export class FrozenState {
  constructor(
    private readonly view: StateView,
    private readonly head: Head,
    private readonly depths: BucketDepths,
    private readonly context: CodecContext | undefined,
  ) {}

  get height(): number {
    return this.head.height
  }

  get root(): Buffer {
    return this.head.root
  }

  /** A record; undefined when there is none. */
  get<K, V>(table: TableDef<K, V>, key: K): V | undefined {
    const bytes = this.view.getSync(rowDbKey(rowKey(table, key)))
    if (bytes === undefined) return undefined
    const decoded = table.value.decode(bytes, this.context)
    if (!decoded.ok) throw new Error(`table ${table.name}: a record in the database does not decode`)
    return decoded.value
  }

  /** One entry of the read indexes. */
  indexGet(key: Uint8Array): Buffer | undefined {
    return this.view.getSync(prefixedDbKey(SPACE.index, key))
  }

  /** Entries of the read indexes in byte order. */
  async *indexRange(range: Parameters<typeof indexBounds>[0]): AsyncIterable<readonly [Buffer, Buffer]> {
    for await (const [key, value] of this.view.range(indexBounds(range))) yield [key.subarray(1), value]
  }

  /** A named value of the node's own bookkeeping. */
  meta(name: string): Buffer | undefined {
    return this.view.getSync(metaDbKey(name))
  }

  /** All rows in byte order of their keys. */
  async *rows(): AsyncIterable<StoredRow> {
    const range: KeyRange = { gte: Buffer.of(SPACE.row), lt: Buffer.of(SPACE.row + 1) }
    for await (const [key, bytes] of this.view.range(range)) yield { row: key.toString('latin1', 1), bytes }
  }

  /** True when the leaf pages of the tree vouch for these bytes of a row. */
  vouchesFor({ row, bytes }: StoredRow): boolean {
    const keyHash = keyHashOf(rowKeyBytes(row))
    const page = this.view.getSync(TreeStore.pageKey(this.depths, this.depths.bucketOf(keyHash)))
    const recorded = page === undefined ? undefined : valueIn(page, keyHash)
    return recorded !== undefined && equalBytes(valueHashOf(bytes), recorded)
  }

  close(): Promise<void> {
    return this.view.close()
  }
}
