/** Owns the mutex per message id: one operation at a time per identity. */

/** Runs work of one key after the work of the same key that came before. */
export class KeyedMutex {
  private readonly underWay = new Map<string, Promise<unknown>>()

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.underWay.get(key) ?? Promise.resolve()
    const next = before.then(work, work)
    this.underWay.set(key, next)
    try {
      return await next
    } finally {
      if (this.underWay.get(key) === next) this.underWay.delete(key)
    }
  }
}
