/** Owns how many requests run at a time, in all and to one host: a host that hangs holds up nobody but itself. */

/** Runs work in the order it came, host by host. */
export class HostSlots {
  private readonly hosts = new Map<string, { running: number; readonly waiting: (() => void)[] }>()
  private running = 0
  private waiting = 0

  /**
   * @param total slots in all
   * @param perHost slots of one host
   * @param waitingMax work that may wait for a slot, of all hosts together
   */
  constructor(
    private readonly total: number,
    private readonly perHost: number,
    private readonly waitingMax: number,
  ) {}

  /** Runs work once its host and the whole have a slot for it; undefined at once where too much waits for that already. */
  async run<T>(host: string, work: () => Promise<T>): Promise<T | undefined> {
    if (this.waiting >= this.waitingMax) return undefined
    this.waiting += 1
    await new Promise<void>((admit) => {
      const own = this.hosts.get(host) ?? { running: 0, waiting: [] }
      this.hosts.set(host, own)
      own.waiting.push(admit)
      this.admit()
    })
    try {
      return await work()
    } finally {
      const own = this.hosts.get(host)
      if (own !== undefined) {
        own.running -= 1
        // The host that was served goes behind the others.
        this.hosts.delete(host)
        if (own.running > 0 || own.waiting.length > 0) this.hosts.set(host, own)
      }
      this.running -= 1
      this.admit()
    }
  }

  private admit(): void {
    for (const own of this.hosts.values()) {
      while (this.running < this.total && own.running < this.perHost) {
        const next = own.waiting.shift()
        if (next === undefined) break
        own.running += 1
        this.running += 1
        this.waiting -= 1
        next()
      }
      if (this.running >= this.total) return
    }
  }
}
