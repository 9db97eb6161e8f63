/** Owns the records on disk: one ordered store, every write synced before it counts. */
import { Level } from 'level'
import { hash } from '../../../crypto/index.js'
import { keyBytes } from '../../../model/index.js'
import type { IsoFamily } from '../schema/instructions.js'
import { type BridgeRecord, bridgeRecord } from './record.js'

/** Identity of a message at one gateway: sender, family, id. */
export interface MessageIdentity {
  readonly submitter: string
  readonly family: IsoFamily
  readonly messageId: string
}

/** Hash of the message id first, so that all records of an id lie together whoever sent it. */
const prefixOf = (id: string): string => `m:${hash('iso-record', Buffer.from(id, 'utf8')).toString('hex')}:`
const keyOf = (identity: MessageIdentity): string =>
  `${prefixOf(identity.messageId)}${identity.family}:${keyBytes(identity.submitter).toString('hex')}`

/** The bridge's records. */
export class RecordStore {
  private constructor(private readonly db: Level<string, Buffer>) {}

  static async open(folder: string): Promise<RecordStore> {
    const db = new Level<string, Buffer>(folder, { valueEncoding: 'buffer' })
    await db.open()
    return new RecordStore(db)
  }

  async get(identity: MessageIdentity): Promise<BridgeRecord | undefined> {
    const bytes = await this.db.get(keyOf(identity))
    return bytes === undefined ? undefined : decode(bytes)
  }

  /** Durable when it resolves. */
  async put(record: BridgeRecord): Promise<void> {
    await this.db.put(keyOf(record), bridgeRecord.encode(record), { sync: true })
  }

  /** Records of a message id, by family and submitter. */
  async ofMessage(messageId: string): Promise<BridgeRecord[]> {
    const prefix = prefixOf(messageId)
    const found: BridgeRecord[] = []
    for await (const bytes of this.db.values({ gte: prefix, lt: `${prefix}~` })) {
      const record = decode(bytes)
      if (record.messageId === messageId) found.push(record)
    }
    return found
  }

  /** All records whose fate is open: sent and neither settled nor rejected. */
  async *unsettled(): AsyncIterable<BridgeRecord> {
    for await (const bytes of this.db.values({ gte: 'm:', lt: 'm~' })) {
      const record = decode(bytes)
      if (record.state === 'sent') yield record
    }
  }

  close(): Promise<void> {
    return this.db.close()
  }
}

function decode(bytes: Buffer): BridgeRecord {
  const decoded = bridgeRecord.decode(bytes)
  if (!decoded.ok) throw new Error(`a bridge record does not decode: ${decoded.fault.message}`)
  return decoded.value
}
