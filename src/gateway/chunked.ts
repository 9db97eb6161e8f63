/** Owns the parsing of request bodies on detached connections: by length, or chunked (RFC 9112, section 7.1). */

/** Maximum length of a chunk size line with its extensions, in bytes: clients send no extensions. */
const SIZE_LINE_MAX_BYTES = 256
/** Maximum bytes of all trailer fields, which are read and dropped. */
const TRAILER_MAX_BYTES = 8 * 1024
const SIZE_LINE = /^([0-9a-f]{1,12})[ \t]*(?:;.*)?$/i

/** Reader of a body with a known length. */
export class LengthBody {
  constructor(private left: number) {}

  get isWhole(): boolean {
    return this.left === 0
  }

  /** True if its length is at most `bytes`. */
  isWithin(bytes: number): boolean {
    return this.left <= bytes
  }

  /** Part of the body in these bytes. */
  take(bytes: Buffer): Buffer[] {
    const part = bytes.subarray(0, this.left)
    this.left -= part.length
    return [part]
  }
}

/** Next part of the body. */
type Place = 'size' | 'data' | 'dataEnd' | 'trailer' | 'end'

/** Reader of a chunked body. */
export class ChunkedBody {
  private place: Place = 'size'
  /** Current line so far, without its end. */
  private line = ''
  private left = 0
  private trailerBytes = 0

  /** True once the last chunk and its trailer were read. */
  get isWhole(): boolean {
    return this.place === 'end'
  }

  /** Always false, because the length is unknown before the end. */
  isWithin(): boolean {
    return false
  }

  /** Parts of the body in these bytes, in order; undefined if the body is malformed. */
  take(bytes: Buffer): Buffer[] | undefined {
    const content: Buffer[] = []
    for (let at = 0; at < bytes.length && this.place !== 'end'; ) {
      if (this.place === 'data') {
        const part = bytes.subarray(at, at + this.left)
        content.push(part)
        at += part.length
        this.left -= part.length
        if (this.left === 0) this.place = 'dataEnd'
        continue
      }
      const end = bytes.indexOf(0x0a, at)
      this.line += bytes.toString('latin1', at, end < 0 ? bytes.length : end)
      if (this.line.length > (this.place === 'trailer' ? TRAILER_MAX_BYTES : SIZE_LINE_MAX_BYTES)) return undefined
      if (end < 0) break
      at = end + 1
      if (!this.line.endsWith('\r') || !this.ended(this.line.slice(0, -1))) return undefined
      this.line = ''
    }
    return content
  }

  /** Process a complete line; false if the line is invalid at this position. */
  private ended(line: string): boolean {
    switch (this.place) {
      case 'size': {
        const size = SIZE_LINE.exec(line)?.[1]
        if (size === undefined) return false
        this.left = Number.parseInt(size, 16)
        this.place = this.left === 0 ? 'trailer' : 'data'
        return true
      }
      case 'dataEnd':
        this.place = 'size'
        return line === ''
      case 'trailer':
        this.trailerBytes += line.length
        if (line === '') this.place = 'end'
        return this.trailerBytes <= TRAILER_MAX_BYTES
      case 'data':
      case 'end':
        return false
    }
  }
}
