/**
 * Owns what the integrations of a node keep (webhooks, devices, passkeys): one ordered store apart from the ledger's, so that a
 * fault in it pauses them and nothing else.
 */
import { hkdfSync, randomBytes } from 'node:crypto'
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js'
import { Level } from 'level'
import { LedgerError } from '../model/index.js'

/** Folder below the data folder of a node. */
export const INTEGRATIONS_FOLDER = 'integrations'
/** Salt under which the sealing key is derived from the network secret. */
const SALT = 'causeway-integrations-v1'
const KEY_BYTES = 32
const NONCE_BYTES = 24
/** Least time between two attempts to open a store that would not open, in ms: a disk that is full stays so for a while. */
const REOPEN_MS = 5_000

/** One change of a batch: a value, or undefined to remove the record. */
export type IntegrationChange = readonly [key: string, value: Uint8Array | undefined]

/** The store; every method rejects with `integrations_unavailable` while the disk does not serve it. */
export class IntegrationStore {
  private readonly key: Uint8Array
  private db: Promise<Level<string, Buffer>> | undefined
  private lastFault: string | undefined
  private refusedAtMs = Number.NEGATIVE_INFINITY
  private closed = false

  /** `secret`: of the network key; what is sealed cannot be read under another one. */
  constructor(
    private readonly folder: string,
    secret: Uint8Array,
    private readonly nowMs: () => number = () => performance.now(),
  ) {
    this.key = new Uint8Array(hkdfSync('sha512', secret, SALT, '', KEY_BYTES))
  }

  /** Why the last use failed; undefined when it did not. */
  get fault(): string | undefined {
    return this.lastFault
  }

  get(key: string): Promise<Buffer | undefined> {
    return this.use((db) => db.get(key))
  }

  /** Records whose keys begin with a text, in the order of their keys. */
  list(prefix: string): Promise<(readonly [key: string, value: Buffer])[]> {
    return this.use((db) => db.iterator({ gte: prefix, lt: `${prefix}~` }).all())
  }

  /** All changes or none. `sync`: they outlive a power cut when it resolves; else they outlive the process only. */
  write(changes: readonly IntegrationChange[], sync: boolean): Promise<void> {
    return this.use((db) =>
      db.batch(
        changes.map(([key, value]) =>
          value === undefined ? { type: 'del', key } : { type: 'put', key, value: Buffer.from(value) },
        ),
        { sync },
      ),
    )
  }

  /** A secret as it is stored under a record key: nonce and ciphertext. */
  seal(recordKey: string, plain: Uint8Array): Buffer {
    const nonce = randomBytes(NONCE_BYTES)
    return Buffer.concat([nonce, xchacha20poly1305(this.key, nonce, Buffer.from(recordKey)).encrypt(plain)])
  }

  /** The secret that was sealed; undefined when it was sealed under another network key, or for another record. */
  unseal(recordKey: string, sealed: Uint8Array): Buffer | undefined {
    const nonce = sealed.subarray(0, NONCE_BYTES)
    if (nonce.length < NONCE_BYTES) return undefined
    try {
      return Buffer.from(
        xchacha20poly1305(this.key, nonce, Buffer.from(recordKey)).decrypt(sealed.subarray(NONCE_BYTES)),
      )
    } catch {
      return undefined
    }
  }

  /** Ends it for good: who still uses it afterwards gets an error, and the folder is free. */
  async close(): Promise<void> {
    this.closed = true
    const db = await this.db?.catch(() => undefined)
    await db?.close()
  }

  private async use<T>(action: (db: Level<string, Buffer>) => Promise<T>): Promise<T> {
    try {
      const result = await action(await this.open())
      this.lastFault = undefined
      return result
    } catch (error) {
      this.lastFault = error instanceof Error ? error.message : String(error)
      throw new LedgerError('integrations_unavailable', `the store of integrations in ${this.folder} does not answer`, {
        cause: error,
      })
    }
  }

  /** Opened at the first use: a node without integrations has no such folder. */
  private open(): Promise<Level<string, Buffer>> {
    if (this.closed) throw new Error('the store is closed')
    if (this.db !== undefined) return this.db
    if (this.nowMs() - this.refusedAtMs < REOPEN_MS) throw new Error(this.lastFault)
    const opening = openLevel(this.folder).catch((error: unknown) => {
      this.db = undefined
      this.refusedAtMs = this.nowMs()
      throw error
    })
    this.db = opening
    return opening
  }
}

async function openLevel(folder: string): Promise<Level<string, Buffer>> {
  const db = new Level<string, Buffer>(folder, { valueEncoding: 'buffer' })
  await db.open()
  return db
}
