/** Owns the serving of snapshots to peers: one chunk after another, at a pace that leaves disk and links to payments. */
import { sameBytes } from '../../base/bytes.js'
import { sleep } from '../../base/sleep.js'
import type { ValidatorKey } from '../../model/index.js'
import type { SnapshotArchive } from './archive.js'
import type { ChunkWanted, SnapshotChunk, SnapshotOffer } from './messages.js'

/**
 * Requests of one peer that wait: as many as a correct one has under way, and as many again for those it gave up. What
 * comes on top is dropped, and asked for again.
 */
const WAITING_PER_PEER_MAX = 8
/** Requests of all observers together that wait. */
const WAITING_OF_OBSERVERS_MAX = 64
/** From one chunk to the next, whoever asks, in ms: at most 12 MiB a second are read and sent beside payments. */
const CHUNK_INTERVAL_MS = 80

export interface SnapshotServerModules {
  readonly archive: Pick<SnapshotArchive, 'at' | 'chunk'>
  /** Whether a peer votes, or is registered to: it is served before observers. */
  readonly isMember: (peer: ValidatorKey) => boolean
  readonly offer: (to: ValidatorKey, offer: SnapshotOffer) => void
  readonly send: (to: ValidatorKey, chunk: SnapshotChunk) => void
  /** The disk refused to give a chunk. */
  readonly onFailure: (error: unknown) => void
}

/** Answers peers, taking turns among them. */
export class SnapshotServer {
  /** What is asked for, by peer; the first one is served next, and goes to the end. */
  private readonly waiting = new Map<ValidatorKey, ChunkWanted[]>()
  private serving = false
  private closed = false

  constructor(private readonly modules: SnapshotServerModules) {}

  /** A peer asks which snapshot there is. */
  wanted(from: ValidatorKey, height: number): void {
    this.modules.offer(from, { manifest: this.modules.archive.at(height) })
  }

  /** A peer asks for a chunk. */
  chunkWanted(from: ValidatorKey, wanted: ChunkWanted): void {
    const queue = this.waiting.get(from) ?? []
    if (this.closed || queue.length >= WAITING_PER_PEER_MAX) return
    if (!this.modules.isMember(from) && this.observersWaiting() >= WAITING_OF_OBSERVERS_MAX) return
    queue.push(wanted)
    this.waiting.set(from, queue)
    if (this.serving) return
    this.serving = true
    this.serve()
      .catch(this.modules.onFailure)
      .finally(() => {
        this.serving = false
      })
  }

  close(): void {
    this.closed = true
    this.waiting.clear()
  }

  private async serve(): Promise<void> {
    for (let next = this.next(); next !== undefined; next = this.next()) {
      const { from, wanted } = next
      const { archive, send } = this.modules
      const kept = archive.at(wanted.height)
      const isKept = kept !== undefined && sameBytes(kept.head.blockHash, wanted.blockHash)
      send(from, { wanted, chunk: isKept ? await archive.chunk(kept, wanted.index) : undefined })
      await sleep(CHUNK_INTERVAL_MS, { ref: false })
    }
  }

  private observersWaiting(): number {
    let count = 0
    for (const [from, { length }] of this.waiting) if (!this.modules.isMember(from)) count += length
    return count
  }

  /** The next request: peers take turns, members before observers. */
  private next(): { readonly from: ValidatorKey; readonly wanted: ChunkWanted } | undefined {
    const { isMember } = this.modules
    const waiting = [...this.waiting]
    const inOrder = [...waiting.filter(([from]) => isMember(from)), ...waiting.filter(([from]) => !isMember(from))]
    for (const [from, queue] of inOrder) {
      this.waiting.delete(from)
      const wanted = queue.shift()
      if (wanted === undefined) continue
      if (queue.length > 0) this.waiting.set(from, queue)
      return { from, wanted }
    }
    return undefined
  }
}
