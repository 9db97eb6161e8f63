/**
 * Owns the snapshot file: `CWSNAP` 0 1, then frames {u8 kind, u32 length, payload}, big-endian; the last frame contains
 * a digest over everything before it. Order: head, headers, epochs if there are any, rosters, replay windows, rows, end
 * (docs/operate/snapshots.md).
 */
import { type FileHandle, open, rm } from 'node:fs/promises'
import { bytes, hash32, type Infer, list, type Schema, string, struct, varint } from '../../codec/index.js'
import { hash } from '../../crypto/index.js'
import { unwritable } from '../../files/write-file.js'
import { type RosterEpoch, rosterEpoch } from '../../ledger/roster-index.js'
import {
  type CertifiedHeader,
  certifiedHeader,
  LedgerError,
  ROSTER_MAX,
  type ValidatorKey,
  validatorKey,
} from '../../model/index.js'

const MAGIC = Buffer.from('CWSNAP\0\x01', 'latin1')
const FRAME_HEAD_BYTES = 5
/** Maximum frame size, in bytes: a chunk of the file that is held in memory. */
export const FRAME_MAX_BYTES = 80 * 1024 * 1024
/**
 * Size at which a frame of rows or ids is closed, in bytes. A frame is encoded and hashed at once, in a fraction of a
 * millisecond.
 */
export const FRAME_TARGET_BYTES = 64 * 1024
/** Bytes between syncs; one sync of the whole file would delay the syncs of blocks. */
const SYNC_BYTES = 4 * 1024 * 1024
/** Maximum headers, rosters, epochs, blocks or rows in one frame, for which a reader allocates memory. */
export const CHUNK_ITEMS_MAX = 65_536
/** Maximum size of the key and of the value of a row, in bytes. */
const ROW_KEY_MAX_BYTES = 64 * 1024
const ROW_VALUE_MAX_BYTES = 64 * 1024 * 1024
/** Maximum bytes of the transaction ids of one block. */
const IDS_MAX_BYTES = 32 * 65_536

/** Identity of a snapshot. Untrusted until verified. */
export interface SnapshotHead extends Infer<typeof snapshotHead> {}
export const snapshotHead = struct('SnapshotHead', {
  chain: string(64),
  genesisHash: hash32,
  height: varint,
  blockHash: hash32,
  stateRoot: hash32,
  /** Counters of the node that created it. No root covers them, but headers prove the number of transactions. */
  approved: varint,
  rejected: varint,
})

/** Transaction ids of one block of the replay window, concatenated. */
export interface ReplayIds extends Infer<typeof replayIds> {}
const replayIds = struct('ReplayIds', { height: varint, ids: bytes(IDS_MAX_BYTES) })
export interface SnapshotRow extends Infer<typeof snapshotRow> {}
const snapshotRow = struct('SnapshotRow', { row: bytes(ROW_KEY_MAX_BYTES), value: bytes(ROW_VALUE_MAX_BYTES) })

const headers_: Schema<readonly CertifiedHeader[]> = list(certifiedHeader, CHUNK_ITEMS_MAX)
const rosters_: Schema<readonly (readonly ValidatorKey[])[]> = list(list(validatorKey, ROSTER_MAX), CHUNK_ITEMS_MAX)
/** Epochs of elected validators by first height. */
const epochs_: Schema<readonly { readonly height: number; readonly epoch: RosterEpoch }[]> = list(
  struct('SnapshotEpoch', { height: varint, epoch: rosterEpoch }),
  CHUNK_ITEMS_MAX,
)
const replay_: Schema<readonly ReplayIds[]> = list(replayIds, CHUNK_ITEMS_MAX)
const rows_: Schema<readonly SnapshotRow[]> = list(snapshotRow, CHUNK_ITEMS_MAX)

const SCHEMAS = {
  head: snapshotHead,
  headers: headers_,
  rosters: rosters_,
  replay: replay_,
  rows: rows_,
  epochs: epochs_,
}
type Kind = keyof typeof SCHEMAS
/** Kinds by frame number: append only. */
const KINDS: readonly (Kind | 'end')[] = ['head', 'headers', 'rosters', 'replay', 'rows', 'end', 'epochs']
/** Kinds in file order. */
const ORDER: readonly (Kind | 'end')[] = ['head', 'headers', 'epochs', 'rosters', 'replay', 'rows', 'end']

/** Decoded frame. */
export type SnapshotFrame =
  | { readonly kind: 'head'; readonly value: SnapshotHead }
  | { readonly kind: 'headers'; readonly value: readonly CertifiedHeader[] }
  | { readonly kind: 'rosters'; readonly value: readonly (readonly ValidatorKey[])[] }
  | { readonly kind: 'epochs'; readonly value: readonly { readonly height: number; readonly epoch: RosterEpoch }[] }
  | { readonly kind: 'replay'; readonly value: readonly ReplayIds[] }
  | { readonly kind: 'rows'; readonly value: readonly SnapshotRow[] }

const fold = (digest: Uint8Array, head: Uint8Array, payload: Uint8Array): Buffer =>
  hash('snapshot', digest, head, payload)

/** Writer of a snapshot file; the file is complete after `end`. */
export class SnapshotWriter {
  private digest: Buffer = hash('snapshot', MAGIC)
  private unsynced = 0
  private constructor(
    private readonly handle: FileHandle,
    private readonly onWritten: (bytes: Uint8Array) => void,
  ) {}

  /** Create the file; `onWritten` gets its bytes in order. Throws `file_exists`. */
  static async create(path: string, onWritten: (bytes: Uint8Array) => void = () => {}): Promise<SnapshotWriter> {
    const handle = await open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') throw new LedgerError('file_exists', `${path} already exists`)
      throw unwritable(path, error)
    })
    const writer = new SnapshotWriter(handle, onWritten)
    try {
      await writer.append(MAGIC)
    } catch (error) {
      await handle.close()
      await rm(path, { force: true })
      throw error
    }
    return writer
  }

  async write<K extends Kind>(kind: K, value: Extract<SnapshotFrame, { kind: K }>['value']): Promise<void> {
    await this.frame(kind, (SCHEMAS[kind] as Schema<unknown>).encode(value))
  }

  /** Write the digest and sync and close the file. */
  async end(): Promise<void> {
    await this.frame('end', this.digest)
    await this.handle.sync()
    await this.handle.close()
  }

  /** Stop writing: the file stays without its end. */
  async abandon(): Promise<void> {
    await this.handle.close()
  }

  private async frame(kind: Kind | 'end', payload: Buffer): Promise<void> {
    const head = Buffer.alloc(FRAME_HEAD_BYTES)
    head[0] = KINDS.indexOf(kind)
    head.writeUInt32BE(payload.length, 1)
    await this.append(Buffer.concat([head, payload]))
    this.digest = fold(this.digest, head, payload)
  }

  private async append(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length; ) {
      at += (await this.handle.write(bytes, at, bytes.length - at)).bytesWritten
    }
    this.onWritten(bytes)
    this.unsynced += bytes.length
    if (this.unsynced < SYNC_BYTES) return
    await this.handle.datasync()
    this.unsynced = 0
  }
}

const broken = (path: string, what: string): LedgerError => new LedgerError('snapshot_invalid', `${path}: ${what}`)

/** Progress callback: read and total bytes. */
export type OnRead = (bytes: number, total: number) => void

/**
 * Frames of a snapshot file in order, of the requested kinds; throws `snapshot_invalid`, at the end for a wrong digest.
 */
export async function* readSnapshot(
  path: string,
  onRead: OnRead = () => {},
  isWanted: (kind: SnapshotFrame['kind']) => boolean = () => true,
): AsyncIterable<SnapshotFrame> {
  const handle = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new LedgerError('file_missing', `${path} does not exist`)
    throw error
  })
  try {
    const { size } = await handle.stat()
    let at = 0
    const take = async (length: number): Promise<Buffer> => {
      const buffer = Buffer.allocUnsafeSlow(length)
      let done = 0
      while (done < length) {
        const { bytesRead } = await handle.read(buffer, done, length - done, at + done)
        if (bytesRead === 0) throw broken(path, 'the file is truncated')
        done += bytesRead
      }
      at += length
      onRead(at, size)
      return buffer
    }
    if (!(await take(MAGIC.length)).equals(MAGIC)) throw broken(path, 'not a snapshot of this release')
    let digest: Buffer = hash('snapshot', MAGIC)
    let last = 0
    for (;;) {
      const head = await take(FRAME_HEAD_BYTES)
      const kind = KINDS[head[0] as number]
      const order = kind === undefined ? -1 : ORDER.indexOf(kind)
      const length = head.readUInt32BE(1)
      if (kind === undefined || order < last || length > FRAME_MAX_BYTES)
        throw broken(path, `invalid frame at byte ${at}`)
      last = order
      const payload = await take(length)
      if (kind === 'end') {
        if (!payload.equals(digest)) throw broken(path, 'its digest does not match: the file was changed')
        return
      }
      digest = fold(digest, head, payload)
      if (!isWanted(kind)) continue
      const decoded = (SCHEMAS[kind] as Schema<unknown>).decode(payload, undefined, { maxBytes: FRAME_MAX_BYTES })
      if (!decoded.ok) throw broken(path, `a frame of ${kind}: ${decoded.fault.message}`)
      yield { kind, value: decoded.value } as SnapshotFrame
    }
  } finally {
    await handle.close()
  }
}
