/** Owns readers of streams for tests: they collect what comes, and wait for what should. */
import { get, type IncomingMessage } from 'node:http'
import { WebSocket } from 'ws'

/** Waits until a condition holds, looking again whenever something arrives. */
class Waiter {
  private readonly waiting = new Set<() => void>()

  poke(): void {
    for (const look of [...this.waiting]) look()
  }

  until(condition: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (!condition()) return
        this.waiting.delete(look)
        resolve()
      }
      this.waiting.add(look)
      look()
    })
  }
}

/** A WebSocket that keeps its messages. */
export class SocketReader {
  readonly messages: { readonly data: Buffer; readonly isBinary: boolean }[] = []
  closed: { readonly code: number; readonly reason: string } | undefined
  private readonly waiter = new Waiter()

  private constructor(readonly socket: WebSocket) {
    socket.on('message', (data, isBinary) => {
      this.messages.push({ data: data as Buffer, isBinary })
      this.waiter.poke()
    })
    socket.on('close', (code, reason) => {
      this.closed = { code, reason: reason.toString() }
      this.waiter.poke()
    })
  }

  /** Opens a socket and sends its first frame, when there is one. */
  static async open(url: string, start?: string | Buffer, headers: Record<string, string> = {}): Promise<SocketReader> {
    const reader = new SocketReader(new WebSocket(url.replace(/^http/, 'ws'), { headers }))
    await new Promise<void>((resolve, reject) => {
      reader.socket.once('open', resolve)
      reader.socket.once('error', reject)
    })
    if (start !== undefined) reader.socket.send(start)
    return reader
  }

  until(condition: () => boolean): Promise<void> {
    return this.waiter.until(condition)
  }

  async count(messages: number): Promise<void> {
    await this.until(() => this.messages.length >= messages || this.closed !== undefined)
  }

  /** Messages as JSON. */
  get json(): Record<string, unknown>[] {
    return this.messages.map(({ data }) => JSON.parse(data.toString()) as Record<string, unknown>)
  }
}

/** One Server-Sent Event. */
export interface SseEvent {
  readonly id: string | undefined
  readonly event: string | undefined
  readonly data: unknown
}

/** A stream of Server-Sent Events that keeps what came. */
export class SseReader {
  text = ''
  ended = false
  private readonly waiter = new Waiter()

  private constructor(readonly response: IncomingMessage) {
    response.setEncoding('utf8')
    response.on('data', (chunk: string) => {
      this.text += chunk
      this.waiter.poke()
    })
    response.on('close', () => {
      this.ended = true
      this.waiter.poke()
    })
    response.on('error', () => {})
  }

  static open(url: string, headers: Record<string, string> = {}): Promise<SseReader> {
    return new Promise((resolve, reject) => {
      get(url, { headers: { accept: 'text/event-stream', ...headers }, agent: false }, (response) =>
        resolve(new SseReader(response)),
      ).on('error', reject)
    })
  }

  /** Whole events that came so far. */
  get events(): SseEvent[] {
    return this.text
      .split('\n\n')
      .slice(0, -1)
      .filter((block) => block.includes('data: '))
      .map((block) => {
        const line = (name: string) =>
          block
            .split('\n')
            .find((one) => one.startsWith(`${name}: `))
            ?.slice(name.length + 2)
        return { id: line('id'), event: line('event'), data: JSON.parse(line('data') ?? 'null') }
      })
  }

  until(condition: () => boolean): Promise<void> {
    return this.waiter.until(condition)
  }

  close(): void {
    this.response.destroy()
  }
}
