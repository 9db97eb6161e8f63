/** Owns one client stream of Server-Sent Events: bytes to events (HTML standard, 9.2.6). */
import { SSE_END, streamEnd } from '../../api/index.js'
import { isErrorCode, LedgerError } from '../../model/index.js'
import { decodedValue, notAGateway } from '../decoded.js'

/** Maximum length of an event with all its lines, in characters; an event with the largest metadata is far below. */
const EVENT_MAX_CHARS = 1024 * 1024

/** Server-Sent Event. */
export interface SseMessage {
  readonly id: string | undefined
  readonly event: string
  readonly data: string
}

/** Parser of event lines from the chunks of a stream. */
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
    // A chunk without a line end is only scanned when the line end arrives.
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
    // A comment, or a field without a value: neither has a meaning here.
    if (at <= 0) return
    const value = line.slice(line[at + 1] === ' ' ? at + 2 : at + 1)
    const name = line.slice(0, at)
    if (name === 'id') this.id = value
    else if (name === 'event') this.event = value
    else if (name === 'data') this.data.push(value)
  }
}

/** Error in the last event of a stream; an unknown code becomes `unreachable`. */
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
