/** Owns the rests of iterable queries that clients come back for: bounded in number, in items and in time. */
import { randomBytes } from 'node:crypto'
import type { Json } from '../../codec/index.js'
import type { AccountId } from '../../model/index.js'

/** Cursors of all clients and of one account. */
const CURSORS_MAX = 128
const CURSORS_PER_ACCOUNT_MAX = 16
/** A cursor that nobody uses for this long is gone, in ms. */
export const CURSOR_IDLE_MS = 60_000

/** The rest of a query. */
export interface StoredCursor {
  readonly authority: AccountId
  readonly items: readonly Json[]
  readonly fetchSize: number
  readonly height: number
  /** Items that were given out. */
  position: number
  usedAtMs: number
}

export class Cursors {
  /** By id in hex, the least recently used first. */
  private readonly stored = new Map<string, StoredCursor>()

  constructor(private readonly nowMs: () => number) {}

  /** Keeps a rest; undefined when there are too many. */
  add(cursor: Omit<StoredCursor, 'usedAtMs'>): Buffer | undefined {
    this.sweep()
    const own = [...this.stored.values()].filter(({ authority }) => authority === cursor.authority).length
    if (this.stored.size >= CURSORS_MAX || own >= CURSORS_PER_ACCOUNT_MAX) return undefined
    const id = randomBytes(32)
    this.stored.set(id.toString('hex'), { ...cursor, usedAtMs: this.nowMs() })
    return id
  }

  /** The cursor of an account; undefined when it expired, ended, or never was. */
  use(id: Uint8Array, authority: AccountId): StoredCursor | undefined {
    this.sweep()
    const key = Buffer.from(id).toString('hex')
    const cursor = this.stored.get(key)
    if (cursor === undefined || cursor.authority !== authority) return undefined
    cursor.usedAtMs = this.nowMs()
    this.stored.delete(key)
    this.stored.set(key, cursor)
    return cursor
  }

  end(id: Uint8Array): void {
    this.stored.delete(Buffer.from(id).toString('hex'))
  }

  private sweep(): void {
    const nowMs = this.nowMs()
    for (const [key, { usedAtMs }] of this.stored) {
      if (nowMs - usedAtMs < CURSOR_IDLE_MS) return
      this.stored.delete(key)
    }
  }
}
