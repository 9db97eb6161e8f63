/**
 * Owns the store on disk: one `level` database, written only by chained batches, which are four times as fast as array
 * batches.
 */
import { mkdir } from 'node:fs/promises'
import { type DatabaseOptions, Level } from 'level'
import type { KeyRange, StateBackend, StateBatch, StateView } from './backend.js'
import { StateFault, stateCorrupt } from './fault.js'

/** Options for opening the database. */
export interface LevelOptions {
  /** Size of the block cache in bytes, default 32 MiB. */
  readonly blockCacheBytes?: number
}

/**
 * Size of the write buffer, in bytes. Reads of rows below a new file make the database compact that file at once, so
 * each write buffer is merged into all existing data: a larger buffer writes less in total, and smaller files reduce
 * each merge. Hashes do not compress. Batches of blocks are not synced: the block store is the commit point, and blocks
 * above the state's height are replayed.
 */
const WRITE_BUFFER_BYTES = 48 * 1024 * 1024
/**
 * Share by which the write buffer of a node varies. All nodes write the same data, so that with equal buffers all would
 * compact in the same second and no quorum would be fast.
 */
const WRITE_BUFFER_SPREAD = 0.4
const FILE_BYTES = 4 * 1024 * 1024
/** Maximum entries per iterator read: about 16 kB, which the library reads at once. */
const ENTRIES_PER_READ = 512
const BLOCK_CACHE_BYTES = 32 * 1024 * 1024

/** Options of the underlying database that the types of its interface omit. */
type BatchWriteOptions = NonNullable<Parameters<ReturnType<Level<Buffer, Buffer>['batch']>['write']>[0]>

/** Read option: the current store, or a snapshot. */
interface AtSnapshot {
  readonly snapshot?: ReturnType<Level<Buffer, Buffer>['snapshot']>
}

/**
 * Messages of the database about damaged or missing files; other errors on opening concern the disk or another process.
 */
const DAMAGE = /corruption|missing files|does not exist|no such file/i

/** Text of an error with its cause; the library gives the reason why a database is not open only as the cause. */
const textOf = (error: unknown): string => String((error as Error).cause ?? error)
const isDamage = (error: unknown): boolean => DAMAGE.test(textOf(error))

/** Store on disk. */
export class LevelBackend implements StateBackend {
  private constructor(private readonly db: Level<Buffer, Buffer>) {}

  /** Open the database of a folder; create it if it does not exist. One process at a time. */
  static async open(folder: string, options: LevelOptions = {}): Promise<LevelBackend> {
    await mkdir(folder, { recursive: true })
    const settings = {
      keyEncoding: 'buffer',
      valueEncoding: 'buffer',
      writeBufferSize: Math.round(WRITE_BUFFER_BYTES * (1 + WRITE_BUFFER_SPREAD * (2 * Math.random() - 1))),
      maxFileSize: FILE_BYTES,
      cacheSize: options.blockCacheBytes ?? BLOCK_CACHE_BYTES,
      compression: false,
      // The trial thread reads it concurrently with the ledger thread.
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
        // A loop: `yield*` would create an extra promise per entry.
        for (const entry of entries) yield entry
      }
    } finally {
      await iterator.close()
    }
  }
}
