/** Owns the reading of the binary format of WebAssembly: bytes and LEB128 numbers, each with one accepted range. */

/** Reason why a module is refused; `offset` is its byte position. */
export class ModuleFault extends Error {
  constructor(
    message: string,
    readonly offset: number,
  ) {
    super(`byte ${offset}: ${message}`)
  }
}

/** Reads a module from its start to `end`. Every read beyond `end` is a `ModuleFault`. */
export class BinaryReader {
  constructor(
    readonly bytes: Uint8Array,
    public pos = 0,
    public end = bytes.length,
  ) {}

  fault(message: string, offset = this.pos): never {
    throw new ModuleFault(message, offset)
  }

  byte(): number {
    if (this.pos >= this.end) this.fault('unexpected end of the module')
    return this.bytes[this.pos++] as number
  }

  /** Read an unsigned 32-bit number: at most five bytes, without excess bits. */
  u32(): number {
    const first = this.byte()
    if (first < 0x80) return first
    let value = first & 0x7f
    for (let shift = 7; shift < 35; shift += 7) {
      const next = this.byte()
      if (shift === 28 && next > 0x0f) this.fault('a number of more than 32 bits', this.pos - 1)
      value |= (next & 0x7f) << shift
      if (next < 0x80) return value >>> 0
    }
    return this.fault('a number of more than 5 bytes')
  }

  /** Read a length or index; at most `max`. */
  count(what: string, max: number): number {
    const at = this.pos
    const value = this.u32()
    if (value > max) this.fault(`${value} ${what} exceed the limit of ${max}`, at)
    return value
  }

  /** Read a signed 32-bit number. */
  s32(): number {
    let value = 0
    for (let shift = 0; shift < 35; shift += 7) {
      const next = this.byte()
      value |= (next & 0x7f) << shift
      if (next >= 0x80) continue
      if (shift === 28) {
        // The last byte has four bits of the number and three of its sign.
        const high = next & 0x78
        if (high !== 0 && high !== 0x78) this.fault('a number of more than 32 bits', this.pos - 1)
        return value
      }
      return (value << (25 - shift)) >> (25 - shift)
    }
    return this.fault('a number of more than 5 bytes')
  }

  /** Read a signed 64-bit number, as its low and its high half. */
  s64(): { readonly lo: number; readonly hi: number } {
    let lo = 0
    let hi = 0
    for (let shift = 0; shift < 70; shift += 7) {
      const next = this.byte()
      const bits = next & 0x7f
      if (shift < 32) lo |= bits << shift
      if (shift === 28) hi = bits >> 4
      else if (shift > 28) hi |= bits << (shift - 32)
      if (next >= 0x80) continue
      // The last byte has one bit of the number and six of its sign.
      if (shift === 63) {
        if (next !== 0 && next !== 0x7f) this.fault('a number of more than 64 bits', this.pos - 1)
        return { lo, hi }
      }
      if ((next & 0x40) === 0) return { lo, hi }
      const above = shift + 7
      return above < 32 ? { lo: lo | (-1 << above), hi: -1 } : { lo, hi: hi | (-1 << (above - 32)) }
    }
    return this.fault('a number of more than 10 bytes')
  }

  /** Read a name of an import or export in printable ASCII. */
  name(maxBytes: number): string {
    const at = this.pos
    const length = this.count('bytes of a name', maxBytes)
    let text = ''
    for (let index = 0; index < length; index += 1) {
      const code = this.byte()
      if (code < 0x21 || code > 0x7e) this.fault('a name must have printable ASCII characters only', at)
      text += String.fromCharCode(code)
    }
    return text
  }

  /** Skip a number of bytes; returns their start. */
  skip(length: number): number {
    const at = this.pos
    if (length > this.end - at) this.fault('the module ends within this section')
    this.pos = at + length
    return at
  }
}
