/** Owns the state of one height for readers of a changing store: reads, and discarded overlays. */
import type { CodecContext } from '../codec/index.js'
import type { StateView } from './backend.js'
import { decodeHead, HEAD_KEY } from './head.js'
import { Overlay } from './overlay.js'
import { rowsOf, type TableRange } from './ranges.js'
import type { RowReader, StateReader } from './reader.js'
import { RowCache } from './row-cache.js'
import type { TableDef } from './table.js'
import { ViewReads } from './view-reads.js'

/** State after one block. The caller closes it before the underlying store. */
export class HeightState extends ViewReads {
  readonly height: number
  private readonly rows: RowCache

  /** @param cacheBytes maximum bytes of cached decoded rows */
  constructor(view: StateView, cacheBytes: number) {
    super(view)
    const head = view.getSync(HEAD_KEY)
    this.height = head === undefined ? 0 : decodeHead(head).height
    this.rows = new RowCache(view, cacheBytes)
  }

  get reader(): StateReader & RowReader {
    return this.rows
  }

  /** Set the resolver of open enums; called before a record with one is read. */
  setContext(context: CodecContext): void {
    this.rows.context = context
  }

  overlay(): Overlay {
    return new Overlay(this.rows)
  }

  rowRange<K, V>(table: TableDef<K, V>, range: TableRange<K>): Promise<{ key: K; value: V; bytes: number }[]> {
    return rowsOf(this.view, table, range, this.rows.context)
  }
}
