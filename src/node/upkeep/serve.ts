/** Owns the serving of snapshots to peers: one chunk after another, at a pace that leaves disk and links to payments. */

import { sameBytes } from '../../base/bytes.js'
import { FairQueue } from '../../base/fair-queue.js'
import { sleep } from '../../base/sleep.js'
import type { ValidatorKey } from '../../model/index.js'
import type { SnapshotArchive } from '../snapshot/archive.js'
import type { ChunkWanted, SnapshotChunk, SnapshotOffer } from '../snapshot/messages.js'

/**
 * Requests of one peer that wait: as many as a correct one has under way, and as many again for those it gave up. What
 * comes on top is dropped, and asked for again.
 */
const WAITING_PER_PEER_MAX = 8
/** Requests of all observers together that wait. */
const WAITING_OF_OBSERVERS_MAX = 64
/** Requests of all members that wait: those of 512. */
const WAITING_MAX = 512 * WAITING_PER_PEER_MAX
/** From one chunk to the next, whoever asks, in ms: at most 12 MiB a second are read and sent beside payments. */
const CHUNK_INTERVAL_MS = 80

export interface SnapshotServerModules {
  readonly archive: Pick<SnapshotArchive, 'at' | 'chunk'>
  /** True if a peer votes, or is registered to: it is served before observers. */
  readonly isMember: (peer: ValidatorKey) => boolean
  readonly offer: (to: ValidatorKey, offer: SnapshotOffer) => void
  readonly send: (to: ValidatorKey, chunk: SnapshotChunk) => void
  /** The disk refused to give a chunk. */
  readonly onFailure: (error: unknown) => void
}

/** A chunk that a peer asks for. */
interface Asked {
  readonly from: ValidatorKey
  readonly wanted: ChunkWanted
}

/** Answers peers, taking turns among them, members before observers. */
export class SnapshotServer {
  private readonly members = new FairQueue<ValidatorKey, Asked>({ total: WAITING_MAX, perParty: WAITING_PER_PEER_MAX })
  private readonly observers = new FairQueue<ValidatorKey, Asked>({
    total: WAITING_OF_OBSERVERS_MAX,
    perParty: WAITING_PER_PEER_MAX,
  })
  private serving = false
  private closed = false

  constructor(private readonly modules: SnapshotServerModules) {}

  /** A peer asks which snapshot there is. */
  wanted(from: ValidatorKey, height: number): void {
    this.modules.offer(from, { manifest: this.modules.archive.at(height) })
  }

  /** A peer asks for a chunk. */
  chunkWanted(from: ValidatorKey, wanted: ChunkWanted): void {
    const waiting = this.modules.isMember(from) ? this.members : this.observers
    if (this.closed || !waiting.push(from, { from, wanted }) || this.serving) return
    this.serving = true
    this.serve()
      .catch(this.modules.onFailure)
      .finally(() => {
        this.serving = false
      })
  }

  close(): void {
    this.closed = true
  }

  private next(): Asked | undefined {
    return this.members.take() ?? this.observers.take()
  }

  private async serve(): Promise<void> {
    for (let next = this.next(); next !== undefined && !this.closed; next = this.next()) {
      const { from, wanted } = next
      const { archive, send } = this.modules
      const kept = archive.at(wanted.height)
      const isKept = kept !== undefined && sameBytes(kept.head.blockHash, wanted.blockHash)
      send(from, { wanted, chunk: isKept ? await archive.chunk(kept, wanted.index) : undefined })
      await sleep(CHUNK_INTERVAL_MS, { ref: false })
    }
  }
}
