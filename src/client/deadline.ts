/** Owns the common deadline of all gateway requests of a command: calls, retries, pages and waits. */

/** Deadline after which no request is sent. */
export class Deadline {
  private endMs: number

  constructor(readonly timeoutMs: number) {
    this.endMs = performance.now() + timeoutMs
  }

  /** Remaining time, in ms; never below 0. */
  leftMs(): number {
    return Math.max(0, this.endMs - performance.now())
  }

  /** Run user interaction, such as a prompt, whose time does not count. */
  async outside<T>(work: () => Promise<T>): Promise<T> {
    const startedMs = performance.now()
    try {
      return await work()
    } finally {
      this.endMs += performance.now() - startedMs
    }
  }
}
