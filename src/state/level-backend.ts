/** Owns the store on disk: one `level` database, written by chained batches only (four times faster than array batches). */
import { mkdir } from 'node:fs/promises'
import { type DatabaseOptions, Level } from 'level'
import type { KeyRange, StateBackend, StateBatch, StateView } from './backend.js'
import { StateFault, stateCorrupt } from './fault.js'

/** How the database is opened. */
export interface LevelOptions {
  /** Block cache of the database in bytes, default 32 MiB. */
  readonly blockCacheBytes?: number
}

/**
 * Reads of rows that stand below a fresh file make the database merge that file downwards at once, so that each write
 * buffer is merged into all that is there: what is written falls as the buffer grows, and smaller files merge with less.
 * Hashes do not compress. Batches of blocks are not synced: the block store is the commit point, and blocks above the state's height are replayed.
 */
const WRITE_BUFFER_BYTES = 48 * 1024 * 1024
/**
 * Share by which the write buffer of one node is larger or smaller. All nodes write the same, so that with equal buffers
 * all of them would compact in the same second, and no quorum would be quick.
 */
const WRITE_BUFFER_SPREAD = 0.4
const FILE_BYTES = 4 * 1024 * 1024
/** Entries of one read of an iterator, at most: some 16 kB, which the library reads at once. */
const ENTRIES_PER_READ = 512
const BLOCK_CACHE_BYTES = 32 * 1024 * 1024

/** Options of the database below, which the types of the interface above it leave out. */
type BatchWriteOptions = NonNullable<Parameters<ReturnType<Level<Buffer, Buffer>['batch']>['write']>[0]>

/** What a read is of: the store as it is, or as it was. */
interface AtSnapshot {
  readonly snapshot?: ReturnType<Level<Buffer, Buffer>['snapshot']>
}

/** What the database says of files that are damaged or missing; what else keeps it from opening is of the disk or of another process. */
const DAMAGE = /corruption|missing files|does not exist|no such file/i

/** The library throws that it is not open, with the reason as the cause. */
const textOf = (error: unknown): string => String((error as Error).cause ?? error)
const isDamage = (error: unknown): boolean => DAMAGE.test(textOf(error))

/** The store on disk. */
export class LevelBackend implements StateBackend {
  private constructor(private readonly db: Level<Buffer, Buffer>) {}

  /** Opens the database of a folder, which is created when it does not exist. One process at a time. */
  static async open(folder: string, options: LevelOptions = {}): Promise<LevelBackend> {
    await mkdir(folder, { recursive: true })
    const settings = {
      keyEncoding: 'buffer',
      valueEncoding: 'buffer',
      writeBufferSize: Math.round(WRITE_BUFFER_BYTES * (1 + WRITE_BUFFER_SPREAD * (2 * Math.random() - 1))),
      maxFileSize: FILE_BYTES,
      cacheSize: options.blockCacheBytes ?? BLOCK_CACHE_BYTES,
      compression: false,
      // The trial thread reads it beside the ledger thread.
      multithreading: true,
    } as DatabaseOptions<Buffer, Buffer>
    const db = new Level<Buffer, Buffer>(folder, settings)
    await db.open().catch((error: unknown) => {
      throw isDamage(error) ? stateCorrupt(`cannot open ${folder}: ${textOf(error)}`) : error
    })
    return new LevelBackend(db)
  }

  getSync(key: Buffer): Buffer | undefined {
    return this.read(key, {})
  }

  batch(): StateBatch {
    const batch = this.db.batch()
    return {
      put: (key, value) => {
        batch.put(key, value)
      },
      del: (key) => {
        batch.del(key)
      },
      write: ({ sync } = { sync: false }) => batch.write({ sync } as BatchWriteOptions),
    }
  }

  range(range: KeyRange): AsyncIterable<readonly [Buffer, Buffer]> {
    return this.iterate(range, {})
  }

  frozen(): StateView {
    const snapshot = this.db.snapshot()
    return {
      getSync: (key) => this.read(key, { snapshot }),
      range: (range) => this.iterate(range, { snapshot }),
      close: () => snapshot.close(),
    }
  }

  close(): Promise<void> {
    return this.db.close()
  }

  private read(key: Buffer, at: AtSnapshot): Buffer | undefined {
    try {
      return this.db.getSync(key, at)
    } catch (cause) {
      throw new StateFault('cannot read the state database', { cause })
    }
  }

  private async *iterate(range: KeyRange, at: AtSnapshot): AsyncIterable<readonly [Buffer, Buffer]> {
    const bounds = range.lt === undefined ? { gte: range.gte } : { gte: range.gte, lt: range.lt }
    const iterator = this.db.iterator({ ...bounds, ...at, reverse: range.reverse === true, limit: range.limit ?? -1 })
    try {
      for (;;) {
        const entries = await iterator.nextv(ENTRIES_PER_READ)
        if (entries.length === 0) return
        // A loop: `yield*` would make a promise more for each entry.
        for (const entry of entries) yield entry
      }
    } finally {
      await iterator.close()
    }
  }
}
