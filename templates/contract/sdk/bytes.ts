/** Bytes and texts, made as cheaply as gas allows: nothing is cleared that is written next, and short answers of the host need no second call. */

/** Bytes of any length. */
export type Bytes = StaticArray<u8>

/** Where the first byte stands in memory. */
// @ts-ignore: decorator
@inline export function at(bytes: Bytes): usize { return changetype<usize>(bytes) }

/** Bytes that are written before anybody reads them. */
export function room(length: i32): Bytes { return changetype<Bytes>(__new(length, idof<Bytes>())) }
/** A copy of a range of memory. */
export function copied(from: usize, length: i32): Bytes {
  const bytes = room(length)
  memory.copy(at(bytes), from, length)
  return bytes
}

/** Where the host writes what it gives, until it is copied: most of it is shorter. */
export const SCRATCH_BYTES: i32 = 256
export const SCRATCH: usize = memory.data(256)

/** Writes a text of ASCII, a byte for each character; false where it has another one. */
function narrowed(from: usize, length: i32, to: usize): bool {
  const end = to + length
  while (to + 4 <= end) {
    let four = load<u64>(from)
    if ((four & 0xff80_ff80_ff80_ff80) !== 0) return false
    four = (four | (four >> 8)) & 0x0000_ffff_0000_ffff
    store<u32>(to, <u32>(four | (four >> 16)))
    from += 8
    to += 4
  }
  while (to < end) {
    const one = load<u16>(from)
    if (one > 0x7f) return false
    store<u8>(to, one)
    from += 2
    to += 1
  }
  return true
}

/** Any text as UTF-8; large, so that calls which need no such text do not enter it. */
export function encoded(text: string): Bytes {
  const bytes = room(String.UTF8.byteLength(text))
  String.UTF8.encodeUnsafe(changetype<usize>(text), text.length, at(bytes))
  return bytes
}
/** Texts as UTF-8. */
export function toUtf8(text: string): Bytes {
  const bytes = room(text.length)
  return narrowed(changetype<usize>(text), text.length, at(bytes)) ? bytes : encoded(text)
}
export function ofUtf8(bytes: Bytes): string {
  return String.UTF8.decodeUnsafe(at(bytes), bytes.length)
}
export function joined(a: Bytes, b: Bytes): Bytes {
  const bytes = room(a.length + b.length)
  memory.copy(at(bytes), at(a), a.length)
  memory.copy(at(bytes) + a.length, at(b), b.length)
  return bytes
}
export function sameBytes(a: Bytes, b: Bytes): bool {
  return a.length === b.length && memory.compare(at(a), at(b), a.length) === 0
}
