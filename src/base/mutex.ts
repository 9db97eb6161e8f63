/** Owns the mutex: jobs run one after the other. */

/** Run jobs one at a time in their order of arrival. */
export class Mutex {
  private last: Promise<unknown> = Promise.resolve()

  /** Resolves once all earlier jobs have ended. */
  get idle(): Promise<unknown> {
    return this.last
  }

  /** Run a job after all earlier ones. A failing job rejects its own promise, and the next one runs nevertheless. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const done = this.last.then(work)
    this.last = done.catch(() => undefined)
    return done
  }
}
