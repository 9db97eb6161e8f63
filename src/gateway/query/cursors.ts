/** Owns the stored cursors of clients: bounded in number, in items and in time. */
import { randomBytes } from 'node:crypto'
import type { QueryBatch } from '../../api/index.js'
import type { AccountId } from '../../model/index.js'
import type { Walk, Wanted } from './walk.js'

/** Maximum cursors of all clients and of one account. */
const CURSORS_MAX = 128
const CURSORS_PER_ACCOUNT_MAX = 16
/** Maximum bytes of JSON in sorted lists that they hold, of all clients and of one account: a list may have 4 MiB. */
const HELD_MAX_BYTES = 64 * 1024 * 1024
export const HELD_PER_ACCOUNT_MAX_BYTES = 8 * 1024 * 1024
/** Idle time after which a cursor is removed, in ms. */
export const CURSOR_IDLE_MS = 60_000

/** Batch with items as JSON texts, which need no more memory than their bytes. */
export interface KeptBatch extends Omit<QueryBatch, 'items'> {
  readonly texts: readonly string[]
}

/** Stored state of a query. */
export interface StoredCursor {
  readonly id: Buffer
  readonly authority: AccountId
  readonly wanted: Wanted
  readonly fetchSize: number
  /** Position after the last returned batch. */
  walk: Walk
  /** Number of returned batches and items. */
  position: number
  given: number
  /** Last batch, kept in case its response was lost. */
  last: KeptBatch
  /** True while a request reads. */
  isReading: boolean
}

const heldBy = (cursors: readonly StoredCursor[]): number => cursors.reduce((sum, { walk }) => sum + walk.heldBytes, 0)

export class Cursors {
  /** Cursors by id in hex, least recently used first. */
  private readonly stored = new Map<string, { readonly cursor: StoredCursor; readonly usedAtMs: number }>()

  constructor(private readonly monotonicMs: () => number) {}

  /** True if an account may store one more cursor of this size. */
  hasRoom(authority: AccountId, bytes: number): boolean {
    this.sweep()
    const all = [...this.stored.values()].map(({ cursor }) => cursor)
    const own = all.filter((cursor) => cursor.authority === authority)
    return (
      all.length < CURSORS_MAX &&
      own.length < CURSORS_PER_ACCOUNT_MAX &&
      heldBy(all) + bytes <= HELD_MAX_BYTES &&
      heldBy(own) + bytes <= HELD_PER_ACCOUNT_MAX_BYTES
    )
  }

  newId(): Buffer {
    return randomBytes(32)
  }

  /** Store a cursor. */
  add(cursor: StoredCursor): void {
    this.stored.set(cursor.id.toString('hex'), { cursor, usedAtMs: this.monotonicMs() })
  }

  /** Cursor of an account; undefined if it expired or never existed. */
  use(id: Uint8Array, authority: AccountId): StoredCursor | undefined {
    this.sweep()
    const key = Buffer.from(id).toString('hex')
    const cursor = this.stored.get(key)?.cursor
    if (cursor === undefined || cursor.authority !== authority) return undefined
    this.stored.delete(key)
    this.add(cursor)
    return cursor
  }

  private sweep(): void {
    const nowMs = this.monotonicMs()
    for (const [key, { usedAtMs }] of this.stored) {
      if (nowMs - usedAtMs < CURSOR_IDLE_MS) return
      this.stored.delete(key)
    }
  }
}
