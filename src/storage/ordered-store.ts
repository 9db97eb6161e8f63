/**
 * Owns a small ordered store in a folder, with one write at a time. After a failed write, for example on a full disk,
 * the library continues, but a restart would lose everything written later: the store is therefore reopened first.
 */
import { Level } from 'level'
import { SYSTEM_CLOCKS } from '../base/clocks.js'

/** Minimum interval between attempts to open a failing store, in ms, since a full disk stays full for a while. */
const REOPEN_MS = 5_000

/** Change in a write: a value, or undefined to remove the record. */
export type StoreChange = readonly [key: string, value: Uint8Array | undefined]

type Database = Pick<Level<string, Buffer>, 'get' | 'getMany' | 'iterator' | 'keys' | 'values' | 'batch' | 'close'>
/** Database for reads; writes go through the store. */
export type OrderedReads = Omit<Database, 'batch' | 'close'>

interface WaitingWrite {
  readonly changes: readonly StoreChange[]
  readonly sync: boolean
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

export class OrderedStore {
  private db: Promise<Database> | undefined
  /** Pending close of the previous database, after a failed write. */
  private ended: Promise<unknown> = Promise.resolve()
  private waiting: WaitingWrite[] = []
  private writing: Promise<void> | undefined
  private lastFault: unknown
  private refusedAtMs = Number.NEGATIVE_INFINITY
  private closed = false

  constructor(
    private readonly folder: string,
    private readonly monotonicMs = SYSTEM_CLOCKS.monotonicMs,
    private readonly openDatabase: (folder: string) => Promise<Database> = openLevel,
  ) {}

  /** Database for reads; opened on first use, so that an unused store has no folder. */
  opened(): Promise<OrderedReads> {
    return this.open()
  }

  /**
   * Write all changes or none, in the order of the calls; changes during a write are part of the next one. `sync`: the
   * changes survive a power failure once it resolves; otherwise they survive only the end of the process.
   */
  write(changes: readonly StoreChange[], sync: boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ changes, sync, resolve, reject })
      this.writing ??= this.writeAll()
    })
  }

  /** Close permanently after the current write: later use is an error, and the folder is released. */
  async close(): Promise<void> {
    this.closed = true
    await this.writing
    await this.ended
    const db = await this.db?.catch(() => undefined)
    await db?.close()
  }

  private async writeAll(): Promise<void> {
    while (this.waiting.length > 0) {
      const group = this.waiting.splice(0)
      const sync = group.some((one) => one.sync)
      try {
        const db = await this.open()
        await db.batch(
          group.flatMap(({ changes }) => changes.map(operation)),
          { sync },
        )
        for (const { resolve } of group) resolve()
      } catch (error) {
        this.leave()
        for (const { reject } of group) reject(error)
      }
    }
    this.writing = undefined
  }

  private open(): Promise<Database> {
    if (this.db !== undefined) return this.db
    if (this.closed) return Promise.reject(new Error('the store is closed'))
    if (this.monotonicMs() - this.refusedAtMs < REOPEN_MS) return Promise.reject(this.lastFault)
    const opening = this.ended
      .then(() => this.openDatabase(this.folder))
      .catch((error: unknown) => {
        this.db = undefined
        this.lastFault = error
        this.refusedAtMs = this.monotonicMs()
        throw error
      })
    this.db = opening
    return opening
  }

  /** Close a database whose log may have an incomplete record. */
  private leave(): void {
    const { db } = this
    // Without an open one, the previous database may still be closing.
    if (db === undefined) return
    this.db = undefined
    this.ended = db.then((open) => open.close()).catch(() => undefined)
  }
}

const operation = ([key, value]: StoreChange) =>
  value === undefined ? ({ type: 'del', key } as const) : ({ type: 'put', key, value: Buffer.from(value) } as const)

async function openLevel(folder: string): Promise<Database> {
  const db = new Level<string, Buffer>(folder, { valueEncoding: 'buffer' })
  await db.open()
  return db
}
