/**
 * Owns the bounds of the links to observers, the non-voting peers. They apply to all observers together, so that no
 * number of registered peers exhausts the memory of a node. Links to members have their own bounds.
 */
import { LedgerError } from '../model/index.js'
import { OBSERVER_LINKS_MAX, OBSERVERS_PARTS_MAX_BYTES, OBSERVERS_QUEUE_MAX_BYTES } from './limits.js'
import type { Link } from './link.js'

/** Kind of memory used for observers: its bytes on a link, and the reason to end the link with the most bytes. */
interface Holding {
  readonly of: (link: Link) => number
  readonly why: string
}
const QUEUED: Holding = {
  of: (link) => link.waitingBytes,
  why: 'it reads too slowly for an observer',
}
const PARTS: Holding = {
  of: (link) => link.partBytes,
  why: 'it leaves too many messages unfinished for an observer',
}

/** Links of one node to observers. */
export class ObserverLinks {
  /** Upper bound of waiting bytes: the last measurement plus bytes queued since. */
  private queuedBytes = 0

  /** `open`: the open links to observers, read at each use. */
  constructor(private readonly open: () => readonly Link[]) {}

  /** True if another observer may have a link. */
  get hasRoom(): boolean {
    return this.open().length < OBSERVER_LINKS_MAX
  }

  /**
   * True if a message for an observer may be queued. Without room, the links with the most queued bytes are closed to
   * make room for a link below its equal share; a link above its share waits until it has read.
   */
  hasBudget(link: Link, bytes: number): boolean {
    if (this.queuedBytes + bytes > OBSERVERS_QUEUE_MAX_BYTES) {
      const open = this.open()
      const waiting = sumOf(open, QUEUED)
      const own = QUEUED.of(link)
      const isOverShare = own > 0 && own + bytes > OBSERVERS_QUEUE_MAX_BYTES / open.length
      if (waiting + bytes > OBSERVERS_QUEUE_MAX_BYTES && isOverShare) return false
      const others = open.filter((one) => one !== link)
      this.queuedBytes = waiting - endLargest(others, waiting + bytes - OBSERVERS_QUEUE_MAX_BYTES, QUEUED)
    }
    this.queuedBytes += bytes
    return true
  }

  /**
   * Handle a received part of an observer message: if all parts use too much memory, the links with the most bytes are
   * closed.
   */
  received(): void {
    const open = this.open()
    endLargest(open, sumOf(open, PARTS) - OBSERVERS_PARTS_MAX_BYTES, PARTS)
  }
}

const sumOf = (links: readonly Link[], { of }: Holding): number => links.reduce((sum, link) => sum + of(link), 0)

/** Close the links with the most bytes until the given number of bytes is free; returns how many were freed. */
function endLargest(links: readonly Link[], bytes: number, { of, why }: Holding): number {
  let freed = 0
  if (bytes <= 0) return freed
  for (const link of [...links].sort((a, b) => of(b) - of(a))) {
    if (freed >= bytes || of(link) === 0) break
    freed += of(link)
    link.destroy(new LedgerError('peer_refused', `the link to ${link.remote} was closed: ${why}`))
  }
  return freed
}
