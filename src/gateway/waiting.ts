/** Owns the abort signal of client disconnects, for handlers that check it. */
import type { ServerResponse } from 'node:http'

export class Waiting {
  private controller: AbortController | undefined
  private ended = false

  constructor(private readonly response: ServerResponse) {}

  /** Aborted at the timeout or when the connection closes. */
  get signal(): AbortSignal {
    if (this.controller === undefined) {
      this.controller = new AbortController()
      if (this.response.destroyed) this.end()
      else this.response.once('close', () => this.end())
    }
    return this.controller.signal
  }

  /** True once the request is abandoned. */
  get isOver(): boolean {
    return this.ended || this.response.destroyed
  }

  /** Mark the request as abandoned. */
  end(): void {
    this.ended = true
    this.controller?.abort()
  }
}
