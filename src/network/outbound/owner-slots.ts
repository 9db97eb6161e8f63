/**
 * Owns the share of each owner in requests: owners with slow endpoints wait only for each other, operators only for
 * operators.
 */
import { Slots } from './slots.js'

/** Owner of a request. */
export interface RequestOwner {
  readonly id: string
  readonly isOperator: boolean
}

/** Response time of a slow endpoint, in ms. */
export const SLOW_MS = 2_000
/**
 * Maximum queued requests, in total and of one owner: the number in progress of all webhooks, and of the webhooks of
 * one owner.
 */
export const WAITING_MAX = 4_096
const WAITING_PER_OWNER_MAX = 512
/** Maximum owners whose pace is stored; an evicted owner counts as new. */
const PACES_MAX = 4_096

const lane = (total: number, perParty: number): Slots =>
  new Slots({ total, perParty, waiting: WAITING_MAX, waitingPerParty: WAITING_PER_OWNER_MAX })

type Pace = 'fast' | 'slow'

/** Runs requests in groups by the pace of their owners. */
export class OwnerSlots {
  private readonly lanes = { operator: lane(8, 8), fast: lane(32, 8), unproven: lane(16, 1), slow: lane(16, 2) }
  private readonly paces = new Map<string, Pace>()

  constructor(private readonly nowMs: () => number) {}

  /** Run a request once its owner has a slot; undefined at once if the queue is full. */
  run<T>({ id, isOperator }: RequestOwner, work: () => Promise<T>): Promise<T | undefined> {
    const slots = this.lanes[isOperator ? 'operator' : (this.paces.get(id) ?? 'unproven')]
    return slots.run(id, async () => {
      const startedMs = this.nowMs()
      try {
        return await work()
      } finally {
        this.note(id, this.nowMs() - startedMs < SLOW_MS ? 'fast' : 'slow')
      }
    })
  }

  private note(id: string, pace: Pace): void {
    this.paces.delete(id)
    this.paces.set(id, pace)
    const [oldest] = this.paces.keys()
    if (this.paces.size > PACES_MAX && oldest !== undefined) this.paces.delete(oldest)
  }
}
