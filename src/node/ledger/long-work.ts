/** Owns long work beside the blocks of a ledger: one of each kind at a time, ended early when the ledger closes. */
import { assertInvariant } from '../../model/index.js'

export class LongWork {
  private running: Promise<unknown> | undefined
  private closing = false

  /** True once the ledger closes: work ends at its next step. */
  get isClosing(): boolean {
    return this.closing
  }

  /** Run the work and return its result; `what` names it in the error for a second start. */
  async run<T>(what: string, work: () => Promise<T>): Promise<T> {
    assertInvariant(this.running === undefined, `${what} runs once at a time`)
    const done = work()
    this.running = done
      .catch(() => undefined)
      .finally(() => {
        this.running = undefined
      })
    return done
  }

  /** Resolves when the running work has ended. */
  async close(): Promise<void> {
    this.closing = true
    await this.running
  }
}
