/**
 * Owns the parsing of Server-Sent Events from a body (HTML standard, 9.2.6), since `EventSource` cannot send a token.
 */

/** Server-Sent Event. */
export interface StreamEvent {
  readonly id: string
  readonly event: string
  readonly data: string
}

/** Maximum length of an event, in characters, enough for a status of the largest committee. */
const EVENT_MAX = 8 * 1024 * 1024

/** Incremental parser of Server-Sent Events. */
export class EventParser {
  private rest = ''
  private id = ''
  private name = ''
  private data: string[] = []

  /** Events completed by the text. Throws for an event without an end. */
  push(text: string): StreamEvent[] {
    const lines = (this.rest + text).split(/\r\n|\n|\r/)
    this.rest = lines.pop() ?? ''
    if (this.rest.length > EVENT_MAX) throw new Error('unterminated event')
    return lines.flatMap((line) => this.line(line))
  }

  private line(line: string): StreamEvent[] {
    if (line === '') {
      const done =
        this.data.length === 0 ? [] : [{ id: this.id, event: this.name || 'message', data: this.data.join('\n') }]
      this.name = ''
      this.data = []
      return done
    }
    const colon = line.indexOf(':')
    const [field, value] = colon < 0 ? [line, ''] : [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')]
    if (field === 'data') this.data.push(value)
    else if (field === 'event') this.name = value
    else if (field === 'id') this.id = value
    return []
  }
}
