/** Owns the concurrency limits of requests, in total and per party: a hanging request delays only its own party. */
import { FairQueue } from '../../base/fair-queue.js'
import { Quota } from '../../base/quota.js'

/** Limits of running and waiting requests. */
export interface SlotLimits {
  /** Maximum slots in total. */
  readonly total: number
  /** Maximum slots of one party. */
  readonly perParty: number
  /** Maximum queued work, of all parties together and of one. */
  readonly waiting: number
  readonly waitingPerParty: number
}

/** Run work fairly by party, first-in first-out within a party. */
export class Slots {
  private readonly running: Quota<string>
  private readonly waiting: FairQueue<string, () => void>

  constructor(private readonly limits: SlotLimits) {
    const { total, perParty, waiting, waitingPerParty } = limits
    this.running = new Quota({ total, perParty })
    this.waiting = new FairQueue({ total: waiting, perParty: waitingPerParty })
  }

  /** Run work once its party and the total have a free slot; undefined at once if the queue is full. */
  async run<T>(party: string, work: () => Promise<T>): Promise<T | undefined> {
    const isKept = await new Promise<boolean>((resolve) => {
      const begin = (): void => {
        this.running.take(party)
        if (this.running.refusal(party) === 'share') this.waiting.hold(party)
        resolve(true)
      }
      if (!this.waiting.push(party, begin)) return resolve(false)
      this.startWaiting()
    })
    if (!isKept) return undefined
    try {
      return await work()
    } finally {
      this.running.give(party)
      this.waiting.release(party)
      this.startWaiting()
    }
  }

  private startWaiting(): void {
    while (this.running.size < this.limits.total) {
      const begin = this.waiting.take()
      if (begin === undefined) return
      begin()
    }
  }
}
