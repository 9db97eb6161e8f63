/** Owns the simulated vote log: appended bytes are safe after a sync, a crash keeps a random prefix and may tear a record. */
import { crc32 } from 'node:zlib'
import { type DurableRecord, durableRecord } from '../consensus/index.js'
import type { Random } from './prng.js'

/** u32 length before, u32 checksum after each record. */
const FRAME_BYTES = 8

/** One append: its records, and what happens once they are durable. */
interface Append {
  readonly records: readonly DurableRecord[]
  readonly done: () => void
}

/** A disk that syncs one batch at a time: what is appended meanwhile waits for the next sync. */
export class SimulatedDisk {
  private durable: DurableRecord[] = []
  private waiting: Append[] = []
  private syncing: Append[] = []

  constructor(private readonly random: Random) {}

  /** Appends records; `sync` starts a sync and calls back when it ends. */
  append(records: readonly DurableRecord[], done: () => void, sync: (ended: () => void) => void): void {
    this.waiting.push({ records, done })
    if (this.syncing.length === 0) this.next(sync)
  }

  private next(sync: (ended: () => void) => void): void {
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

  /** True when a record that satisfies `wanted` is safe. */
  holds(wanted: (record: DurableRecord) => boolean): boolean {
    return this.durable.some(wanted)
  }

  /** Forgets what belongs to committed heights. */
  prune(committedHeight: number): void {
    this.durable = this.durable.filter((record) => record.value.height > committedHeight)
  }

  /** Power is gone: of the bytes that no sync covered a random prefix is on the platter, half a record included. */
  crash(): void {
    const unsynced = [...this.syncing, ...this.waiting].flatMap((one) => one.records)
    this.syncing = []
    this.waiting = []
    if (unsynced.length === 0) return
    const log = Buffer.concat(unsynced.map(frameOf))
    this.durable.push(...readLog(log.subarray(0, this.random.below(log.length + 1))))
  }

  /** The log is lost as a whole. */
  wipe(): void {
    this.durable = []
  }

  /** The records that a restart finds, through their canonical bytes. */
  read(): DurableRecord[] {
    this.durable = readLog(Buffer.concat(this.durable.map(frameOf)))
    return this.durable
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

/** Records up to the first bad one: what lies behind was never acknowledged. */
function readLog(log: Buffer): DurableRecord[] {
  const records: DurableRecord[] = []
  for (let at = 0; at + FRAME_BYTES <= log.length; ) {
    const length = log.readUInt32BE(at)
    if (at + length + FRAME_BYTES > log.length) break
    const body = log.subarray(at + 4, at + 4 + length)
    if (log.readUInt32BE(at + 4 + length) !== crc32(body)) break
    const decoded = durableRecord.decode(body)
    if (!decoded.ok) throw new Error(`a durable record of ours does not decode: ${decoded.fault.message}`)
    records.push(decoded.value)
    at += length + FRAME_BYTES
  }
  return records
}
