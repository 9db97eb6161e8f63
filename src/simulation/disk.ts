/**
 * Owns the simulated disk: appended bytes are safe after a sync; a crash keeps a random prefix of the rest and may tear
 * a record.
 */
import { crc32 } from 'node:zlib'
import { type DurableRecord, durableRecord, type HashKey, hashKey } from '../consensus/index.js'
import type { BlockHeader } from '../model/index.js'
import type { Random } from './prng.js'

/** Frame bytes of each record: u32 length before it, u32 checksum after it. */
const FRAME_BYTES = 8

/** Append of records, with a callback for when they are durable. */
interface Append<R> {
  readonly records: readonly R[]
  readonly done: () => void
}

/** Starts a sync and calls back when it ends. */
type Sync = (ended: () => void) => void

/** A file that syncs one batch at a time: later appends wait for the next sync. */
class SyncedFile<R> {
  durable: R[] = []
  private waiting: Append<R>[] = []
  private syncing: Append<R>[] = []

  append(records: readonly R[], done: () => void, sync: Sync): void {
    this.waiting.push({ records, done })
    if (this.syncing.length === 0) this.next(sync)
  }

  private next(sync: Sync): void {
    if (this.waiting.length === 0) return
    this.syncing = this.waiting
    this.waiting = []
    sync(() => {
      const batch = this.syncing
      this.syncing = []
      for (const one of batch) this.durable.push(...one.records)
      this.next(sync)
      for (const one of batch) one.done()
    })
  }

  /** Remove and return the records not covered by a sync. */
  takeUnsynced(): R[] {
    const unsynced = [...this.syncing, ...this.waiting].flatMap((one) => one.records)
    this.syncing = []
    this.waiting = []
    return unsynced
  }
}

/** A large payload on disk. */
interface StagedPayload {
  readonly height: number
  readonly hash: HashKey
  readonly body: Uint8Array
}

/** Vote log and staging segment of one node: two files with separate syncs. */
export class SimulatedDisk {
  private readonly log = new SyncedFile<DurableRecord>()
  private readonly staging = new SyncedFile<StagedPayload>()

  constructor(private readonly random: Random) {}

  /** Append records to the vote log. */
  append(records: readonly DurableRecord[], done: () => void, sync: Sync): void {
    this.log.append(records, done, sync)
  }

  /** Append a payload to the staging segment. */
  stage(height: number, payloadHash: Uint8Array, body: Uint8Array, done: () => void, sync: Sync): void {
    this.staging.append([{ height, hash: hashKey(payloadHash), body }], done, sync)
  }

  /** True if a record that satisfies `wanted` is durable. */
  holds(wanted: (record: DurableRecord) => boolean): boolean {
    return this.log.durable.some(wanted)
  }

  /** True if the payload of a block is durable: staged, or in a record. */
  holdsPayload(header: BlockHeader): boolean {
    const hash = hashKey(header.payloadHash)
    if (this.staging.durable.some((one) => one.hash === hash)) return true
    return this.holds((record) => {
      if (record.kind === 'prepared') {
        return record.value.body !== undefined && hashKey(record.value.header.payloadHash) === hash
      }
      if (record.kind !== 'proposed') return false
      const { proposal } = record.value
      return proposal.body !== undefined && hashKey(proposal.header.payloadHash) === hash
    })
  }

  /** Remove records of committed heights. */
  prune(committedHeight: number): void {
    this.log.durable = this.log.durable.filter((record) => record.value.height > committedHeight)
    this.staging.durable = this.staging.durable.filter((one) => one.height > committedHeight)
  }

  /**
   * Simulate a power failure: a random prefix of the bytes not covered by a sync survives, and may end within a record.
   */
  crash(): void {
    const staged = this.staging.takeUnsynced()
    if (staged.length > 0) this.staging.durable.push(...staged.slice(0, this.random.below(staged.length + 1)))
    const unsynced = this.log.takeUnsynced()
    if (unsynced.length === 0) return
    const log = Buffer.concat(unsynced.map(frameOf))
    this.log.durable.push(...readLog(log.subarray(0, this.random.below(log.length + 1))))
  }

  /** Lose the whole log. */
  wipe(): void {
    this.log.durable = []
  }

  /** Records found by a restart, decoded from their canonical bytes. */
  read(): DurableRecord[] {
    this.log.durable = readLog(Buffer.concat(this.log.durable.map(frameOf)))
    return this.log.durable
  }

  /** The payloads found by a restart, by hash. */
  readStaged(): ReadonlyMap<HashKey, Uint8Array> {
    return new Map(this.staging.durable.map((one) => [one.hash, one.body]))
  }
}

function frameOf(record: DurableRecord): Buffer {
  const body = durableRecord.encode(record)
  const frame = Buffer.alloc(body.length + FRAME_BYTES)
  frame.writeUInt32BE(body.length, 0)
  frame.set(body, 4)
  frame.writeUInt32BE(crc32(body), 4 + body.length)
  return frame
}

/** Read records up to the first bad one; later records were never acknowledged. */
function readLog(log: Buffer): DurableRecord[] {
  const records: DurableRecord[] = []
  for (let at = 0; at + FRAME_BYTES <= log.length; ) {
    const length = log.readUInt32BE(at)
    if (at + length + FRAME_BYTES > log.length) break
    const body = log.subarray(at + 4, at + 4 + length)
    if (log.readUInt32BE(at + 4 + length) !== crc32(body)) break
    const decoded = durableRecord.decode(body)
    if (!decoded.ok) throw new Error(`a durable own record does not decode: ${decoded.fault.message}`)
    records.push(decoded.value)
    at += length + FRAME_BYTES
  }
  return records
}
