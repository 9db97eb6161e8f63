/** Owns virtual time: events in order of (time, sequence), without waiting. */

interface Event {
  readonly atMs: number
  readonly order: number
  readonly run: () => void
}

/** A binary heap of events on a virtual clock in ms. */
export class VirtualClock {
  nowMs = 0
  private order = 0
  private readonly heap: Event[] = []

  /** Run `run` after `delayMs`. */
  after(delayMs: number, run: () => void): void {
    const event = { atMs: this.nowMs + Math.max(0, delayMs), order: this.order++, run }
    const { heap } = this
    heap.push(event)
    let at = heap.length - 1
    while (at > 0) {
      const up = (at - 1) >> 1
      if (!before(event, heap[up] as Event)) break
      heap[at] = heap[up] as Event
      at = up
    }
    heap[at] = event
  }

  /** Run the next event; false if there is none. */
  advance(): boolean {
    const { heap } = this
    const first = heap[0]
    const last = heap.pop()
    if (first === undefined || last === undefined) return false
    if (heap.length > 0) {
      let at = 0
      for (;;) {
        let down = 2 * at + 1
        if (down >= heap.length) break
        if (down + 1 < heap.length && before(heap[down + 1] as Event, heap[down] as Event)) down += 1
        if (!before(heap[down] as Event, last)) break
        heap[at] = heap[down] as Event
        at = down
      }
      heap[at] = last
    }
    this.nowMs = first.atMs
    first.run()
    return true
  }
}

const before = (a: Event, b: Event): boolean => a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order)
