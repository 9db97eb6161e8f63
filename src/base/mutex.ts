/** Owns the mutex: work that runs one piece after the other. */

/** Run jobs one at a time in their order of arrival. */
export class Mutex {
  private last: Promise<unknown> = Promise.resolve()

  /** Resolves when all work that came so far has ended. */
  get idle(): Promise<unknown> {
    return this.last
  }

  /** Runs work when all that came before has ended. Work that fails rejects here, and the next runs all the same. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const done = this.last.then(work)
    this.last = done.catch(() => undefined)
    return done
  }
}
