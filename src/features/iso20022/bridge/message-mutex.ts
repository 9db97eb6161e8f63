/** Owns the mutex per message id: one operation at a time per identity. */
import { claimKey } from '../schema/instructions.js'
import type { MessageIdentity } from './store.js'

/** Run work on a message after earlier work on the same message. */
export class MessageMutex {
  private readonly underWay = new Map<string, Promise<unknown>>()

  async run<T>({ submitter, family, messageId }: MessageIdentity, work: () => Promise<T>): Promise<T> {
    const key = claimKey(submitter, family, messageId).toString('latin1')
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
