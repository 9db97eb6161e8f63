/** Owns one stream of Server-Sent Events of the client: bytes to events (HTML standard, 9.2.6). */
import { SSE_END, streamEnd } from '../../api/index.js'
import { isErrorCode, LedgerError } from '../../model/index.js'
import { decodedValue, notAGateway } from '../decoded.js'

/** Longest event with all its lines, in characters: one with the largest metadata is far below. */
const EVENT_MAX_CHARS = 1024 * 1024

/** One event. */
export interface SseMessage {
  readonly id: string | undefined
  readonly event: string
  readonly data: string
}

/** Collects the lines of events out of the pieces of a stream. */
export class SseParser {
  private rest = ''
  private id: string | undefined
  private event = ''
  private data: string[] = []
  /** Characters of the event so far, without its last line. */
  private taken = 0

  /** Events completed by a piece. Throws `not_a_gateway` for an event without an end. */
  push(piece: string): SseMessage[] {
    const whole: SseMessage[] = []
    this.rest += piece
    // Pieces without an end of a line are looked at once, when it comes.
    if (!piece.includes('\n')) {
      this.bound()
      return whole
    }
    const lines = this.rest.split(/\r?\n/)
    this.rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line !== '') {
        this.taken += line.length
        this.bound()
        this.field(line)
        continue
      }
      if (this.data.length > 0) whole.push({ id: this.id, event: this.event || 'message', data: this.data.join('\n') })
      this.event = ''
      this.data = []
      this.id = undefined
      this.taken = 0
    }
    this.bound()
    return whole
  }

  private bound(): void {
    if (this.taken + this.rest.length > EVENT_MAX_CHARS) {
      throw notAGateway(`an event of more than ${EVENT_MAX_CHARS} characters`)
    }
  }

  private field(line: string): void {
    const at = line.indexOf(':')
    // A comment, or a field without a value: none of these carries anything here.
    if (at <= 0) return
    const value = line.slice(line[at + 1] === ' ' ? at + 2 : at + 1)
    const name = line.slice(0, at)
    if (name === 'id') this.id = value
    else if (name === 'event') this.event = value
    else if (name === 'data') this.data.push(value)
  }
}

/** What the last event of a stream says. A code that this release does not know is an end like any other. */
function endOf(data: string): LedgerError {
  const { code, message } = decodedValue(streamEnd.parseJson(data))
  return new LedgerError(isErrorCode(code) ? code : 'unreachable', message)
}

/** Events of a response body. Throws the error with which the node ends the stream. */
export async function* sseMessages(body: AsyncIterable<Uint8Array>): AsyncGenerator<SseMessage, void, undefined> {
  const parser = new SseParser()
  const decoder = new TextDecoder()
  for await (const piece of body) {
    for (const message of parser.push(decoder.decode(piece, { stream: true }))) {
      if (message.event === SSE_END) throw endOf(message.data)
      yield message
    }
  }
}
