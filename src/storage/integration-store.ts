/**
 * Owns the data of a node's integrations (webhooks, devices, passkeys): an ordered store separate from the store of the
 * ledger, so that its faults pause only the integrations.
 */
import { hkdfSync, randomBytes } from 'node:crypto'
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js'
import { errorMessage } from '../base/thrown.js'
import { LedgerError } from '../model/index.js'
import { OrderedStore, type StoreChange } from './ordered-store.js'

/** Folder in the data directory of a node. */
export const INTEGRATIONS_FOLDER = 'integrations'
/** Salt for deriving the sealing key from the network secret. */
const SALT = 'causeway-integrations-v1'
const KEY_BYTES = 32
const NONCE_BYTES = 24

/** Change in a batch: a value, or undefined to remove the record. */
export type IntegrationChange = StoreChange

/** Store of integrations; every method rejects with `integrations_unavailable` while the disk fails. */
export class IntegrationStore {
  private readonly key: Uint8Array
  private readonly store: OrderedStore
  private lastFault: string | undefined

  /** `secret`: derived from the network key; values encrypted under it cannot be decrypted with another key. */
  constructor(
    private readonly folder: string,
    secret: Uint8Array,
    monotonicMs?: () => number,
  ) {
    this.store = new OrderedStore(folder, monotonicMs)
    this.key = new Uint8Array(hkdfSync('sha512', secret, SALT, '', KEY_BYTES))
  }

  /** Failure of the last access, or undefined. */
  get fault(): string | undefined {
    return this.lastFault
  }

  get(key: string): Promise<Buffer | undefined> {
    return this.use(async () => (await this.store.opened()).get(key))
  }

  /** Records whose keys begin with a text, ordered by key. */
  list(prefix: string): Promise<(readonly [key: string, value: Buffer])[]> {
    return this.use(async () => (await this.store.opened()).iterator({ gte: prefix, lt: `${prefix}~` }).all())
  }

  /**
   * Write all changes or none. `sync`: the changes survive a power failure once it resolves; otherwise they survive
   * only the end of the process.
   */
  write(changes: readonly IntegrationChange[], sync: boolean): Promise<void> {
    return this.use(() => this.store.write(changes, sync))
  }

  /** Encrypt a secret for storage under a record key: nonce and ciphertext. */
  seal(recordKey: string, plain: Uint8Array): Buffer {
    const nonce = randomBytes(NONCE_BYTES)
    return Buffer.concat([nonce, xchacha20poly1305(this.key, nonce, Buffer.from(recordKey)).encrypt(plain)])
  }

  /** Decrypt a secret; undefined if it was sealed under another network key, or for another record. */
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

  /** Close permanently: later use is an error, and the folder is released. */
  close(): Promise<void> {
    return this.store.close()
  }

  private async use<T>(action: () => Promise<T>): Promise<T> {
    try {
      const result = await action()
      this.lastFault = undefined
      return result
    } catch (error) {
      this.lastFault = errorMessage(error)
      throw new LedgerError(
        'integrations_unavailable',
        `the store of integrations in ${this.folder} does not respond`,
        {
          cause: error,
        },
      )
    }
  }
}
