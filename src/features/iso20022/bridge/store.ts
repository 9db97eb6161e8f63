/** Owns the records on disk: one ordered store, every write synced before it is acknowledged. */
import { toHex } from '../../../codec/index.js'
import { hash } from '../../../crypto/index.js'
import { keyBytes } from '../../../model/index.js'
import { OrderedStore, type StoreChange } from '../../../storage/ordered-store.js'
import type { IsoFamily } from '../schema/instructions.js'
import { HeldShares } from './held-shares.js'
import {
  type BridgeRecord,
  decodeRecord,
  encodeRecord,
  isOpen,
  ONLY,
  type SharedTransaction,
  sharedTransaction,
} from './record.js'
import { SentShares } from './sent-shares.js'

/** Identity of a message at one gateway: sender, family, id. */
export interface MessageIdentity {
  readonly submitter: string
  readonly family: IsoFamily
  readonly messageId: string
}

/** Digits of a time in a key: sufficient for ms until the year 33658. */
const TIME_DIGITS = 15
/** Records removed per batch: bounds memory and the time of a write. */
const PRUNE_BATCH = 512

/**
 * Key prefix of a message id. It begins with the hash of the id, so that records of an id are adjacent for all
 * submitters.
 */
const prefixOf = (id: string): string => hash('iso-record', Buffer.from(id, 'utf8')).toString('hex')
const messageName = ({ messageId, family, submitter }: MessageIdentity): string =>
  `${prefixOf(messageId)}:${family}:${keyBytes(submitter).toString('hex')}`
/** Digits of a place in a key. */
const PLACE_DIGITS = 4
const placeName = (message: string, place: number): string => `${message}:${String(place).padStart(PLACE_DIGITS, '0')}`
/** Name of a record: the name of its message, followed by the place if it is one of several. */
const nameOf = (record: MessageIdentity & Pick<BridgeRecord, 'payments' | 'place'>): string =>
  record.payments === 1 ? messageName(record) : placeName(messageName(record), record.place)
const isOneOfSeveral = (name: string): boolean => name.split(':').length > 3

/**
 * Keys of a record; of its entries while it is open and while its transaction is sent; of its entries by UETR and by
 * the time at which it became final; of a shared transaction; and of the body of a message with several payments while
 * any of them is held.
 */
const recordKey = (name: string): string => `m:${name}`
const bodyKey = (message: string): string => `h:${message}`
const openKey = (name: string): string => `o:${name}`
const sentKey = (hash: Uint8Array): string => `t:${Buffer.from(hash).toString('hex')}`
const timeText = (timeMs: number): string => String(timeMs).padStart(TIME_DIGITS, '0')
const uetrPrefix = (submitter: string, uetr: string): string => `u:${keyBytes(submitter).toString('hex')}:${uetr}:`
const sharedKey = (hash: Uint8Array): string => `b:${Buffer.from(hash).toString('hex')}`
const finalKey = (timeMs: number, name: string): string => `f:${timeText(timeMs)}:${name}`

/** Maximum number of listed payments with one UETR. */
const SAME_UETR_MAX = 8

/** Key of a record's entry by UETR; undefined if the record has no UETR. */
const uetrKeyOf = ({ submitter, details: { uetr } }: BridgeRecord, name: string): string | undefined =>
  uetr === undefined ? undefined : uetrPrefix(submitter, uetr) + name

/** Value of entries with all information in the key: one byte, because the database library never frees an empty value. */
const PRESENT = Buffer.of(1)

/** Store of the records of the bridge. */
export class RecordStore {
  /** Transactions shared by open records, in hexadecimal. */
  private readonly sharedHashes = new Set<string>()
  /** Number of records opened since the start, and its value when no record was open. */
  private opened = 0
  private noneAfter: number | undefined
  /** Payments held for an operator. */
  readonly held = new HeldShares()
  /** Payments that wait for a block. */
  readonly sent = new SentShares()

  private constructor(private readonly store: OrderedStore) {}

  static async open(folder: string): Promise<RecordStore> {
    const store = new OrderedStore(folder)
    try {
      await store.opened()
      const records = new RecordStore(store)
      for await (const record of records.unsettled()) {
        records.count(record)
        if (record.state === 'held' && record.payments > 1) await records.countBody(record)
        const { transactionHash, transaction } = record
        if (transactionHash !== undefined && transaction === undefined) records.sharedHashes.add(toHex(transactionHash))
      }
      return records
    } catch (error) {
      await store.close()
      throw error
    }
  }

  /** Record of a message with one payment. */
  get(identity: MessageIdentity): Promise<BridgeRecord | undefined> {
    return this.read(messageName(identity))
  }

  /**
   * Existing records of the payments at the given places of a message with several payments, in the order of the
   * places.
   */
  async getPlaces(identity: MessageIdentity, places: readonly number[]): Promise<BridgeRecord[]> {
    if (places.length === 0) return []
    const message = messageName(identity)
    const db = await this.store.opened()
    const found = await db.getMany(places.map((place) => recordKey(placeName(message, place))))
    return found.flatMap((bytes) => (bytes === undefined ? [] : [decodeRecord(bytes, true)]))
  }

  /** Records of a message with several payments, by place. */
  async placesOf(identity: MessageIdentity): Promise<BridgeRecord[]> {
    const prefix = recordKey(`${messageName(identity)}:`)
    const db = await this.store.opened()
    const values = await db.values({ gte: prefix, lt: `${prefix}~` }).all()
    return values.map((bytes) => decodeRecord(bytes, true))
  }

  /** True if a message with several payments has records. */
  async hasPlaces(identity: MessageIdentity): Promise<boolean> {
    const prefix = recordKey(`${messageName(identity)}:`)
    const db = await this.store.opened()
    return (await db.keys({ gte: prefix, lt: `${prefix}~`, limit: 1 }).all()).length > 0
  }

  /** Body of a message with held payments. */
  async bodyOf(identity: MessageIdentity): Promise<Uint8Array | undefined> {
    return (await this.store.opened()).get(bodyKey(messageName(identity)))
  }

  /** Write a record; durable when it resolves. */
  put(record: BridgeRecord): Promise<void> {
    return this.write([record], [], true)
  }

  /**
   * Write payments of a message with several payments; `body` is given while any of them is held. Durable when it
   * resolves.
   */
  async putPlaces(records: readonly BridgeRecord[], body: Uint8Array | undefined): Promise<void> {
    const [first] = records
    if (first === undefined) return
    const message = messageName(first)
    const { submitter } = first
    const takeBack = this.held.countBody(bodyKey(message), body && { submitter, bytes: body.length })
    await this.write(records, [[bodyKey(message), body]], true).catch((error: unknown) => {
      takeBack()
      throw error
    })
  }

  /** Remove the body of a message without held payments. */
  async dropBody(identity: MessageIdentity): Promise<void> {
    const key = bodyKey(messageName(identity))
    if (!this.held.has(key)) return
    this.held.countBody(key, undefined)
    await this.store.write([[key, undefined]], false)
  }

  /** Remove the payments of a message without open payments, because a different message uses its id. */
  async removePlaces(identity: MessageIdentity): Promise<void> {
    const records = await this.placesOf(identity)
    await this.store.write(records.flatMap(removalOf), false)
  }

  /**
   * Write records whose outcome is on the ledger, without a sync: if they are lost on power failure, they are closed
   * again after the restart.
   */
  settle(records: readonly BridgeRecord[]): Promise<void> {
    return this.write(records, [], false)
  }

  /** Write records together with the transaction that they share; durable when it resolves. */
  async putShared(records: readonly BridgeRecord[], hash: Uint8Array, transaction: Uint8Array): Promise<void> {
    const shared = sharedTransaction.encode({ transaction, records: records.map(nameOf) })
    await this.write(records, [[sharedKey(hash), shared]], true)
    // Registered after the write: maintenance removes registered transactions without open records.
    this.sharedHashes.add(toHex(hash))
  }

  /** Remove a transaction that no record shares any more. */
  async dropShared(hash: Uint8Array): Promise<void> {
    this.sharedHashes.delete(toHex(hash))
    await this.store.write([[sharedKey(hash), undefined]], false)
  }

  private async write(records: readonly BridgeRecord[], more: readonly StoreChange[], sync: boolean): Promise<void> {
    // Counted before the write: two concurrent calls must not both claim the last room.
    const takesBack = records.map((record) => this.count(record))
    try {
      await this.store.write([...records.flatMap(changesOf), ...more], sync)
    } catch (error) {
      for (const takeBack of takesBack) takeBack()
      throw error
    }
    // Readable from now on: a reader that found no open record meanwhile reads again.
    if (records.some(isOpen)) this.opened += 1
  }

  /** Reserve room for a record that will be written as sent; returns a function that releases it. */
  reserve(record: BridgeRecord): () => void {
    return this.sent.count(`reserved:${nameOf(record)}`, { ...record, state: 'sent' })
  }

  private async countBody(record: BridgeRecord): Promise<void> {
    const key = bodyKey(messageName(record))
    if (this.held.has(key)) return
    const body = await this.bodyOf(record)
    if (body !== undefined) this.held.countBody(key, { submitter: record.submitter, bytes: body.length })
  }

  /** Count a record as waiting; returns a function that reverts it. */
  private count(record: BridgeRecord): () => void {
    const name = nameOf(record)
    const takesBack = [this.held.count(name, record), this.sent.count(name, record)]
    return () => {
      for (const takeBack of takesBack) takeBack()
    }
  }

  /** Records of a message id, by family and submitter. */
  async ofMessage(messageId: string): Promise<BridgeRecord[]> {
    const prefix = recordKey(`${prefixOf(messageId)}:`)
    const found: BridgeRecord[] = []
    const db = await this.store.opened()
    for await (const [key, bytes] of db.iterator({ gte: prefix, lt: `${prefix}~` })) {
      const record = decodeRecord(bytes, isOneOfSeveral(key.slice(2)))
      if (record.messageId === messageId) found.push(record)
    }
    return found
  }

  /** Other payments of a submitter with a UETR that were not rejected, at most `SAME_UETR_MAX`. */
  async ofUetr(
    payment: MessageIdentity & Pick<BridgeRecord, 'payments' | 'place'>,
    uetr: string,
  ): Promise<BridgeRecord[]> {
    const prefix = uetrPrefix(payment.submitter, uetr)
    const own = nameOf(payment)
    const db = await this.store.opened()
    const keys = await db.keys({ gte: prefix, lt: `${prefix}~`, limit: SAME_UETR_MAX + 1 }).all()
    const names = keys.map((key) => key.slice(prefix.length)).filter((name) => name !== own)
    const found = await Promise.all(names.slice(0, SAME_UETR_MAX).map((name) => this.read(name)))
    return found.filter((record) => record !== undefined)
  }

  /** Records whose sent transaction is not known to be decided. */
  async ofTransaction(hash: Uint8Array): Promise<BridgeRecord[]> {
    const name = await (await this.store.opened()).get(sentKey(hash))
    const shared = this.isShared(hash) ? await this.shared(hash) : undefined
    const names = name === undefined ? (shared?.records ?? []) : [name.toString('latin1')]
    const found = await Promise.all(names.map((one) => this.read(one)))
    return found.filter((record) => record !== undefined)
  }

  /** Remove expired transactions without open payments. */
  async pruneShared(): Promise<void> {
    for (const text of [...this.sharedHashes]) {
      const hash = Buffer.from(text, 'hex')
      const records = await this.ofTransaction(hash)
      const isOfIt = ({ state, transactionHash }: BridgeRecord): boolean =>
        state === 'sent' && transactionHash !== undefined && hash.equals(transactionHash)
      if (!records.some(isOfIt)) await this.dropShared(hash)
    }
  }

  /** True if records of this gateway share a transaction. Does not read from disk. */
  isShared(hash: Uint8Array): boolean {
    return this.sharedHashes.has(toHex(hash))
  }

  /** Transaction shared by records. */
  async shared(hash: Uint8Array): Promise<SharedTransaction | undefined> {
    const bytes = await (await this.store.opened()).get(sharedKey(hash))
    if (bytes === undefined) return undefined
    const decoded = sharedTransaction.decode(bytes)
    if (!decoded.ok) throw new Error(`a shared transaction does not decode: ${decoded.fault.message}`)
    return decoded.value
  }

  /**
   * Possibly open payments of a message and a place: its only payment, and the payment at this place among several.
   * Does not read from disk.
   */
  openAt(identity: MessageIdentity, place: number): readonly ('only' | 'place')[] {
    const isOpenName = (name: string): boolean => this.sent.has(name) || this.held.has(name)
    const message = messageName(identity)
    const open: ('only' | 'place')[] = []
    if (place === ONLY.place && isOpenName(message)) open.push('only')
    if (isOpenName(placeName(message, place))) open.push('place')
    return open
  }

  /**
   * True if a record is sent or held. It is called for every block, so it reads from disk only if a record was opened
   * since the last call.
   */
  async hasOpen(): Promise<boolean> {
    const { opened } = this
    if (this.noneAfter === opened) return false
    const db = await this.store.opened()
    const [first] = await db.keys({ gte: 'o:', lt: 'o~', limit: 1 }).all()
    if (first !== undefined) return true
    this.noneAfter = opened
    return false
  }

  /** All open records: sent or held. */
  async *unsettled(): AsyncIterable<BridgeRecord> {
    const db = await this.store.opened()
    for await (const key of db.keys({ gte: 'o:', lt: 'o~' })) {
      const record = await this.read(key.slice(2))
      if (record !== undefined && isOpen(record)) yield record
    }
  }

  /** Open records of each message that has any, in an unspecified order. */
  async *unsettledMessages(): AsyncIterable<readonly BridgeRecord[]> {
    let open: BridgeRecord[] = []
    for await (const record of this.unsettled()) {
      const [first] = open
      if (first !== undefined && messageName(first) !== messageName(record)) {
        yield open
        open = []
      }
      open.push(record)
    }
    if (open.length > 0) yield open
  }

  /** Remove records that became final before a time; returns their number. Their claims remain on the ledger. */
  async prune(beforeMs: number): Promise<number> {
    let removed = 0
    let changes: StoreChange[] = []
    const db = await this.store.opened()
    for await (const key of db.keys({ gte: 'f:', lt: `f:${timeText(beforeMs)}` })) {
      const name = key.slice(2 + TIME_DIGITS + 1)
      const record = await this.read(name)
      changes.push([key, undefined])
      // The entry of an earlier attempt is removed; the record is removed with the entry of its final status.
      if (record !== undefined && !isOpen(record) && finalKey(record.updatedAtMs, name) === key) {
        const uetrKey = uetrKeyOf(record, name)
        changes.push([recordKey(name), undefined], ...(uetrKey === undefined ? [] : [[uetrKey, undefined] as const]))
        removed += 1
      }
      if (changes.length >= PRUNE_BATCH) {
        await this.store.write(changes, false)
        changes = []
      }
    }
    await this.store.write(changes, false)
    return removed
  }

  close(): Promise<void> {
    return this.store.close()
  }

  private async read(name: string): Promise<BridgeRecord | undefined> {
    const bytes = await (await this.store.opened()).get(recordKey(name))
    return bytes === undefined ? undefined : decodeRecord(bytes, isOneOfSeveral(name))
  }
}

/** Changes that remove a closed record. */
function removalOf(record: BridgeRecord): StoreChange[] {
  const name = nameOf(record)
  const uetrKey = uetrKeyOf(record, name)
  const keys = [recordKey(name), finalKey(record.updatedAtMs, name), ...(uetrKey === undefined ? [] : [uetrKey])]
  return keys.map((key) => [key, undefined] as const)
}

/** Changes that write a record. */
function changesOf(record: BridgeRecord): StoreChange[] {
  const name = nameOf(record)
  const changes: StoreChange[] = [[recordKey(name), encodeRecord(record)]]
  const { transactionHash, transaction, state } = record
  if (transactionHash !== undefined && (transaction !== undefined || state !== 'sent')) {
    changes.push([sentKey(transactionHash), state === 'sent' ? Buffer.from(name, 'latin1') : undefined])
  }
  const uetrKey = uetrKeyOf(record, name)
  // The entry of a settled payment was already written.
  if (uetrKey !== undefined && state !== 'settled') changes.push([uetrKey, state === 'rejected' ? undefined : PRESENT])
  if (isOpen(record)) changes.push([openKey(name), PRESENT])
  else changes.push([openKey(name), undefined], [finalKey(record.updatedAtMs, name), PRESENT])
  return changes
}
