/** Owns the records on disk: one ordered store, every write synced before it counts. */
import { hash } from '../../../crypto/index.js'
import { keyBytes } from '../../../model/index.js'
import { OrderedStore, type StoreChange } from '../../../storage/ordered-store.js'
import type { IsoFamily } from '../schema/instructions.js'
import { HeldShares } from './held-shares.js'
import { type BridgeRecord, bridgeRecord, isOpen } from './record.js'
import { SentShares } from './sent-shares.js'

/** Identity of a message at one gateway: sender, family, id. */
export interface MessageIdentity {
  readonly submitter: string
  readonly family: IsoFamily
  readonly messageId: string
}

/** Digits of a time in a key: enough for ms until the year 33658. */
const TIME_DIGITS = 15
/** Records that are removed in one batch: bounds memory and the time of a write. */
const PRUNE_BATCH = 512

/** Hash of the message id first, so that all records of an id lie together whoever sent it. */
const prefixOf = (id: string): string => hash('iso-record', Buffer.from(id, 'utf8')).toString('hex')
const nameOf = (identity: MessageIdentity): string =>
  `${prefixOf(identity.messageId)}:${identity.family}:${keyBytes(identity.submitter).toString('hex')}`

/** Key of a record, of its entries while it is open and while its transaction is sent, by its UETR, and by the time it became final. */
const recordKey = (name: string): string => `m:${name}`
const openKey = (name: string): string => `o:${name}`
const sentKey = (hash: Uint8Array): string => `t:${Buffer.from(hash).toString('hex')}`
const timeText = (timeMs: number): string => String(timeMs).padStart(TIME_DIGITS, '0')
const uetrPrefix = (submitter: string, uetr: string): string => `u:${keyBytes(submitter).toString('hex')}:${uetr}:`
const finalKey = (timeMs: number, name: string): string => `f:${timeText(timeMs)}:${name}`

/** Messages of one UETR that are listed. */
const TWINS_MAX = 8

/** Key of a record's entry by its UETR; undefined: it has none. */
const uetrKeyOf = ({ submitter, details: { uetr } }: BridgeRecord, name: string): string | undefined =>
  uetr === undefined ? undefined : uetrPrefix(submitter, uetr) + name

/** Value of entries whose key says it all: one byte, since the database library never frees what it allocates for an empty value. */
const PRESENT = Buffer.of(1)

/** The bridge's records. */
export class RecordStore {
  /** Records that were opened since the start, and how many it were when none was open. */
  private opened = 0
  private noneAfter: number | undefined
  /** What waits for an operator. */
  readonly held = new HeldShares()
  /** What waits for a block. */
  readonly sent = new SentShares()

  private constructor(private readonly store: OrderedStore) {}

  static async open(folder: string): Promise<RecordStore> {
    const store = new OrderedStore(folder)
    try {
      await store.opened()
      const records = new RecordStore(store)
      for await (const record of records.unsettled()) records.count(record)
      return records
    } catch (error) {
      await store.close()
      throw error
    }
  }

  get(identity: MessageIdentity): Promise<BridgeRecord | undefined> {
    return this.read(nameOf(identity))
  }

  /** Durable when it resolves. */
  async put(record: BridgeRecord): Promise<void> {
    const name = nameOf(record)
    const changes: StoreChange[] = [[recordKey(name), bridgeRecord.encode(record)]]
    const { transactionHash, state } = record
    if (transactionHash !== undefined) {
      changes.push([sentKey(transactionHash), state === 'sent' ? Buffer.from(name, 'latin1') : undefined])
    }
    const uetrKey = uetrKeyOf(record, name)
    if (uetrKey !== undefined) changes.push([uetrKey, state === 'rejected' ? undefined : PRESENT])
    if (isOpen(record)) changes.push([openKey(name), PRESENT])
    else changes.push([openKey(name), undefined], [finalKey(record.updatedAtMs, name), PRESENT])
    // Before it is written: two at once must not both find the last room.
    const takeBack = this.count(record)
    try {
      await this.store.write(changes, true)
    } catch (error) {
      takeBack()
      throw error
    }
    // Now it is there to be read: whoever looked meanwhile and found none looks again.
    if (isOpen(record)) this.opened += 1
  }

  /** Counts a record among those that wait; gives what takes that back. */
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
    for await (const bytes of db.values({ gte: prefix, lt: `${prefix}~` })) {
      const record = decode(bytes)
      if (record.messageId === messageId) found.push(record)
    }
    return found
  }

  /** Other messages of a submitter with a UETR that were not rejected, at most `TWINS_MAX`. */
  async ofUetr(identity: MessageIdentity, uetr: string): Promise<BridgeRecord[]> {
    const prefix = uetrPrefix(identity.submitter, uetr)
    const own = nameOf(identity)
    const db = await this.store.opened()
    const keys = await db.keys({ gte: prefix, lt: `${prefix}~`, limit: TWINS_MAX + 1 }).all()
    const names = keys.map((key) => key.slice(prefix.length)).filter((name) => name !== own)
    const found = await Promise.all(names.slice(0, TWINS_MAX).map((name) => this.read(name)))
    return found.filter((record) => record !== undefined)
  }

  /** The record whose transaction was sent and is not known to be decided. */
  async ofTransaction(hash: Uint8Array): Promise<BridgeRecord | undefined> {
    const name = await (await this.store.opened()).get(sentKey(hash))
    return name === undefined ? undefined : this.read(name.toString('latin1'))
  }

  /** True where a record is sent or held. Asked at every block, it reads only after one was opened. */
  async hasOpen(): Promise<boolean> {
    const { opened } = this
    if (this.noneAfter === opened) return false
    const db = await this.store.opened()
    const [first] = await db.keys({ gte: 'o:', lt: 'o~', limit: 1 }).all()
    if (first !== undefined) return true
    this.noneAfter = opened
    return false
  }

  /** All records whose fate is open: sent or held. */
  async *unsettled(): AsyncIterable<BridgeRecord> {
    const db = await this.store.opened()
    for await (const key of db.keys({ gte: 'o:', lt: 'o~' })) {
      const record = await this.read(key.slice(2))
      if (record !== undefined && isOpen(record)) yield record
    }
  }

  /** Removes records that became final before a time; gives their number. What they claimed stays on the ledger. */
  async prune(beforeMs: number): Promise<number> {
    let removed = 0
    let changes: StoreChange[] = []
    const db = await this.store.opened()
    for await (const key of db.keys({ gte: 'f:', lt: `f:${timeText(beforeMs)}` })) {
      const name = key.slice(2 + TIME_DIGITS + 1)
      const record = await this.read(name)
      changes.push([key, undefined])
      // An entry of an earlier attempt goes; the record goes with the entry of its last word.
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
    return bytes === undefined ? undefined : decode(bytes)
  }
}

function decode(bytes: Buffer): BridgeRecord {
  const decoded = bridgeRecord.decode(bytes)
  if (!decoded.ok) throw new Error(`a bridge record does not decode: ${decoded.fault.message}`)
  return decoded.value
}
