/** Owns the serving of snapshots to peers: chunk by chunk, at a rate that leaves disk and links to payments. */

import { sameBytes } from '../../base/bytes.js'
import { FairQueue } from '../../base/fair-queue.js'
import { sleep } from '../../base/sleep.js'
import type { ValidatorKey } from '../../model/index.js'
import type { SnapshotArchive } from '../snapshot/archive.js'
import type { ChunkWanted, SnapshotChunk, SnapshotOffer } from '../snapshot/messages.js'

/**
 * Maximum waiting requests of one peer: as many as a correct peer has in flight, and as many again that it abandoned.
 * Further requests are dropped, and sent again by the peer.
 */
const WAITING_PER_PEER_MAX = 8
/** Maximum waiting requests of all observers. */
const WAITING_OF_OBSERVERS_MAX = 64
/** Maximum waiting requests of all members, 512 at most. */
const WAITING_MAX = 512 * WAITING_PER_PEER_MAX
/** Interval between chunks for all requesters, in ms: at most 12 MiB per second are read and sent beside payments. */
const CHUNK_INTERVAL_MS = 80

export interface SnapshotServerModules {
  readonly archive: Pick<SnapshotArchive, 'at' | 'chunk'>
  /** True if a peer votes, or is registered to vote; such peers are served before observers. */
  readonly isMember: (peer: ValidatorKey) => boolean
  readonly offer: (to: ValidatorKey, offer: SnapshotOffer) => void
  readonly send: (to: ValidatorKey, chunk: SnapshotChunk) => void
  /** Called if a chunk cannot be read from disk. */
  readonly onFailure: (error: unknown) => void
}

/** Chunk requested by a peer. */
interface Asked {
  readonly from: ValidatorKey
  readonly wanted: ChunkWanted
}

/** Server of chunks: peers take turns, members before observers. */
export class SnapshotServer {
  private readonly members = new FairQueue<ValidatorKey, Asked>({ total: WAITING_MAX, perParty: WAITING_PER_PEER_MAX })
  private readonly observers = new FairQueue<ValidatorKey, Asked>({
    total: WAITING_OF_OBSERVERS_MAX,
    perParty: WAITING_PER_PEER_MAX,
  })
  private serving = false
  private closed = false

  constructor(private readonly modules: SnapshotServerModules) {}

  /** Handle a peer's request for the manifest of a snapshot. */
  wanted(from: ValidatorKey, height: number): void {
    this.modules.offer(from, { manifest: this.modules.archive.at(height) })
  }

  /** Handle a peer's request for a chunk. */
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
