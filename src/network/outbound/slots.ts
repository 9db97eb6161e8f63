/** Owns how many requests run at a time, in all and to one host: a host that hangs holds up nobody but itself. */
import { FairQueue } from '../../base/fair-queue.js'
import { Quota } from '../../base/quota.js'

/** Runs work in the order it came, host by host. */
export class HostSlots {
  private readonly running: Quota<string>
  private readonly waiting: FairQueue<string, () => void>

  /**
   * @param total slots in all
   * @param perHost slots of one host
   * @param waitingMax work that may wait for a slot, of all hosts together
   */
  constructor(
    private readonly total: number,
    perHost: number,
    waitingMax: number,
  ) {
    this.running = new Quota({ total, perParty: perHost })
    this.waiting = new FairQueue({ total: waitingMax, perParty: waitingMax })
  }

  /** Runs work once its host and the whole have a slot for it; undefined at once if too much waits for that already. */
  async run<T>(host: string, work: () => Promise<T>): Promise<T | undefined> {
    const isKept = await new Promise<boolean>((resolve) => {
      const begin = (): void => {
        this.running.take(host)
        if (this.running.refusal(host) === 'share') this.waiting.hold(host)
        resolve(true)
      }
      if (!this.waiting.push(host, begin)) return resolve(false)
      this.admit()
    })
    if (!isKept) return undefined
    try {
      return await work()
    } finally {
      this.running.give(host)
      this.waiting.release(host)
      this.admit()
    }
  }

  private admit(): void {
    while (this.running.size < this.total) {
      const begin = this.waiting.take()
      if (begin === undefined) return
      begin()
    }
  }
}
