/**
 * Owns a second verifier of the rows in proofs of names, written from the text of the design: a separate hash library,
 * rows parsed byte by byte, and the rules of standing implemented again. It shares no code with the client.
 */
import { blake3 } from '@noble/hashes/blake3.js'

type Bytes = Uint8Array<ArrayBufferLike>
const join = (...parts: readonly Bytes[]): Bytes => Uint8Array.from(parts.flatMap((part) => [...part]))
const ascii = (text: string): Bytes => Uint8Array.from([...text].map((one) => one.charCodeAt(0)))
const isSame = (a: Bytes, b: Bytes): boolean => a.length === b.length && a.every((byte, at) => byte === b[at])
const u32 = (value: number): Bytes =>
  Uint8Array.of(value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255)
/** Tag with its length, then each part with its length. */
const tagged = (tag: string, ...parts: readonly Bytes[]): Bytes =>
  blake3(join(Uint8Array.of(tag.length), ascii(tag), ...parts.flatMap((part) => [u32(part.length), part])))

/** Record of a proof in its JSON form, with bytes. */
export interface SecondRow {
  readonly value: Bytes | undefined
  readonly siblings: readonly Bytes[]
  readonly other: { readonly keyHash: Bytes; readonly valueHash: Bytes } | undefined
}
export interface SecondName {
  readonly name: string
  readonly alias: SecondRow
  readonly row: SecondRow
  readonly versions: readonly { readonly row: Bytes; readonly account: Bytes }[]
}

const bitAt = (hash: Bytes, at: number): number => ((hash[at >> 3] ?? 0) >> (7 - (at % 8))) & 1

function isProven(root: Bytes, table: number, name: string, { value, siblings, other }: SecondRow): boolean {
  const at = name.indexOf('@')
  const [label, domain] = [ascii(name.slice(0, at)), ascii(name.slice(at + 1))]
  const lengths = [domain, label].map((part) =>
    part.length < 128 ? [part.length] : [(part.length & 127) | 128, part.length >> 7],
  )
  const key = join(
    Uint8Array.from([table >> 8, table & 255, ...(lengths[0] ?? [])]),
    domain,
    Uint8Array.from(lengths[1] ?? []),
    label,
  )
  const place = tagged('state-key', key)
  let node: Bytes = new Uint8Array(32)
  if (value !== undefined) {
    if (other !== undefined) return false
    node = tagged('state-leaf', place, tagged('state-value', value))
  } else if (other !== undefined) {
    if (isSame(other.keyHash, place)) return false
    for (let depth = 0; depth < siblings.length; depth += 1)
      if (bitAt(other.keyHash, depth) !== bitAt(place, depth)) return false
    node = tagged('state-leaf', other.keyHash, other.valueHash)
  }
  for (let depth = siblings.length - 1; depth >= 0; depth -= 1) {
    const sibling = siblings[depth] ?? new Uint8Array(32)
    node = bitAt(place, depth) === 0 ? blake3(join(node, sibling)) : blake3(join(sibling, node))
  }
  return isSame(node, root)
}

/** Relevant fields of a row. */
interface Row {
  readonly kind: number
  readonly registered: string
  readonly ends: readonly (number | undefined)[]
  readonly parent: string | undefined
  readonly height: number
  readonly previous: Bytes | undefined
}

class Cursor {
  private at = 0
  constructor(private readonly bytes: Bytes) {}
  byte(): number {
    const value = this.bytes[this.at]
    if (value === undefined) throw new Error('the row ends early')
    this.at += 1
    return value
  }
  take(count: number): Bytes {
    return Uint8Array.from(Array.from({ length: count }, () => this.byte()))
  }
  /** Seven bits per byte, the lowest first. */
  number(): number {
    let [value, factor] = [0, 1]
    for (;;) {
      const byte = this.byte()
      value += (byte & 127) * factor
      factor *= 128
      if (byte < 128) return value
    }
  }
  optional<T>(read: () => T): T | undefined {
    return this.byte() === 0 ? undefined : read()
  }
  text(): Bytes {
    return this.take(this.number())
  }
  place(): string {
    return `${this.number()}/${this.number()}`
  }
  end(): void {
    if (this.at !== this.bytes.length) throw new Error('the row goes on')
  }
}

function rowOf(bytes: Bytes): Row {
  const cursor = new Cursor(bytes)
  const kind = cursor.byte()
  cursor.text()
  cursor.optional(() => cursor.text())
  const registered = cursor.place()
  cursor.number()
  const ends = [0, 1, 2].map(() => cursor.optional(() => cursor.number()))
  const parent = cursor.optional(() => cursor.place())
  for (let left = cursor.number(); left > 0; left -= 1) {
    cursor.text()
    cursor.text()
  }
  cursor.number()
  cursor.take(4)
  const height = cursor.number()
  const previous = cursor.optional(() => cursor.take(32))
  cursor.end()
  return { kind, registered, ends, parent, height, previous }
}

/** Account that a name resolved to (its id in bytes); `none`: it resolved to none; undefined: the proof is invalid. */
export function secondResult(
  names: readonly SecondName[],
  { root, at, timeMs }: { readonly root: Bytes; readonly at: number | undefined; readonly timeMs: number },
): Bytes | 'none' | undefined {
  try {
    const rows: (Row | undefined)[] = []
    let account: Bytes | undefined
    for (const [index, one] of names.entries()) {
      if (index > 0 && names[index - 1]?.name.slice((names[index - 1]?.name.indexOf('.') ?? 0) + 1) !== one.name)
        return undefined
      if (!isProven(root, 24, one.name, one.alias) || !isProven(root, 1401, one.name, one.row)) return undefined
      let row: Row | undefined = one.row.value === undefined ? undefined : rowOf(one.row.value)
      // The account is length-prefixed.
      let of: Bytes | undefined = one.alias.value?.slice(1)
      let found = at === undefined || (row !== undefined && row.height <= at) ? { row, of } : undefined
      for (const version of one.versions) {
        if (at === undefined || row?.previous === undefined) return undefined
        if (!isSame(tagged('name-version', version.row, version.account), row.previous)) return undefined
        row = rowOf(version.row)
        of = version.account
        if (found === undefined && row.height <= at) found = { row, of }
      }
      if (found === undefined) return undefined
      rows.push(found.row)
      if (index === 0) account = found.of
      if ((names[index + 1] === undefined) === ((one.row.value?.[0] ?? 0) === 2)) return undefined
    }
    for (const [index, row] of rows.entries()) {
      const isPast = (end: number | undefined): boolean => end !== undefined && timeMs >= end
      if (row === undefined || row.kind === 0) break
      if (row.kind === 1 && isPast(row.ends[1])) return 'none'
      if (row.kind === 2 && (isPast(row.ends[0]) || rows[index + 1]?.registered !== row.parent)) return 'none'
    }
    return account ?? 'none'
  } catch {
    return undefined
  }
}
