/**
 * Owns values made from declarations of the codec: within their bounds, at them, and of every class of bytes. It reads the
 * description of a schema, so a record that is declared tomorrow is generated without a line here.
 */
import { type Json, type Numeric, normalizeNumeric, type Schema } from '../../src/codec/index.js'
import type { Random } from '../../src/simulation/prng.js'

/** A parsed expression of a description. */
interface Expression {
  readonly op: string
  readonly args: readonly (Expression | number)[]
  /** Fields of a struct; variants of an enum, with what they hold. */
  readonly parts: readonly (readonly [name: string, of: Expression | undefined])[]
}

class Parser {
  private at = 0
  private readonly tokens: readonly string[]

  constructor(text: string) {
    this.tokens = text.match(/[A-Za-z][A-Za-z0-9]*|\d+|[{}(),:]/g) ?? []
  }

  private next(): string {
    return this.tokens[this.at++] ?? ''
  }

  private take(token: string): boolean {
    if (this.tokens[this.at] !== token) return false
    this.at += 1
    return true
  }

  expression(): Expression {
    const op = this.next()
    const parts: [string, Expression | undefined][] = []
    const args: (Expression | number)[] = []
    if (this.take('{')) {
      while (!this.take('}')) {
        if (op === 'enum') this.next()
        const name = this.next()
        parts.push([name, this.take(':') ? this.expression() : undefined])
        this.take(',')
      }
    } else if (this.take('(')) {
      while (!this.take(')')) {
        args.push(/^\d/.test(this.tokens[this.at] ?? '') ? Number(this.next()) : this.expression())
        this.take(',')
      }
    }
    return { op, args, parts }
  }
}

/** Place of a generated part in a value. */
interface Place {
  readonly named: ReadonlyMap<string, Expression>
  readonly field: string
  readonly depth: number
  readonly level: number
}

/** Sources of generated values besides their declarations. */
export interface Pools {
  /** Makers of named texts and keys by the name of their type. */
  readonly types: Readonly<Record<string, (random: Random) => unknown>>
  /** Texts that mean something in a field of this name. */
  readonly fields: Readonly<Record<string, (random: Random) => unknown>>
  /** Members of the open enums, by the name of their registry. */
  readonly open: Readonly<Record<string, readonly { readonly kind: string; readonly schema: Schema<unknown> }[]>>
}

/** Texts of every class of bytes: controls, marks of direction, joiners, four-byte letters, quotes, paths, markup. */
export const TEXTS = [
  '',
  ' ',
  '\u0000',
  '\u001b[2J\u0007',
  '\r\n',
  '\u007f\u0085\u009b',
  '\u200b\u202e\u2066\ufeff',
  '\ud83d\ude00\u{10ffff}',
  '"\\\'`$(){}<script>',
  '../../etc/passwd',
  '__proto__',
  'constructor',
  '0',
  '-1',
  '9007199254740993',
  'NaN',
] as const

const NUMBERS = [0, 1, 2, 127, 128, 255, 256, 65_535, 65_536, 2 ** 31, 2 ** 32 - 1, 2 ** 48, Number.MAX_SAFE_INTEGER]
const LIMITS: Readonly<Record<string, number>> = { u8: 0xff, u16: 0xffff, u32: 0xffff_ffff }
const BIG = [0n, 1n, 2n ** 53n - 1n, 2n ** 53n + 1n, 2n ** 63n, 2n ** 64n - 1n]
const MANTISSAS = [-1n, ...BIG, 2n ** 64n, 2n ** 128n - 1n, 2n ** 256n - 1n, 2n ** 256n, 2n ** 511n - 1n, -(2n ** 511n)]
/** Longest lists and maps of one value, below the first level: sizes multiply. */
const INNER_ITEMS_MAX = 3
/** Open values in one another; the codec has a bound of its own. */
const OPEN_DEPTH_MAX = 3
/** Share of the values that are as large as their declaration lets them be. */
const BOUND_SHARE = 0.06

/** JSON of as many bytes as that: one text, many small parts, or parts in one another. */
export function fatJson(bytes: number, depth: number, random: Random): Json {
  const shape = random.below(4)
  if (shape === 0) return 'x'.repeat(bytes - 2)
  if (shape === 1) return '\u{1f600}'.repeat((bytes - 2) >> 2)
  if (shape === 2) return Array.from({ length: Math.floor(bytes / 3) - 2 }, () => [])
  let value: Json = []
  for (let level = 0; level < depth - 2; level += 1) value = [value]
  return Array.from({ length: Math.floor(bytes / (2 * depth + 2)) }, () => value)
}

/** Below so many bytes there is nothing to be fat about. */
const FAT_BYTES_MIN = 256

/** Makes values of schemas. */
export class Declared {
  private readonly parsed = new Map<Schema<unknown>, { root: Expression; named: ReadonlyMap<string, Expression> }>()

  constructor(
    private readonly random: Random,
    private readonly pools: Pools,
  ) {}

  /** A value of the schema; it may still break a rule that only its validation knows. */
  of(schema: Schema<unknown>, depth = 0): unknown {
    const { root, named } = this.expressionsOf(schema)
    return this.make(root, { named, field: '', depth, level: 0 })
  }

  /** A value of the schema with one part made anew, or taken to an end of what is declared. */
  vary(schema: Schema<unknown>, value: unknown, depth = 0): unknown {
    const { root, named } = this.expressionsOf(schema)
    return this.changed(root, value, { named, field: '', depth, level: 0 })
  }

  private expressionsOf(schema: Schema<unknown>) {
    let known = this.parsed.get(schema)
    if (known === undefined) {
      const [first = '', ...lines] = schema.describe().trim().split('\n')
      const named = lines.map((line): [string, Expression] => {
        const at = line.indexOf(' = ')
        return [line.slice(0, at), new Parser(line.slice(at + 3)).expression()]
      })
      known = { root: new Parser(first).expression(), named: new Map(named) }
      this.parsed.set(schema, known)
    }
    return known
  }

  /** A JSON value, now and then as large as it may be. */
  json(bytes: number, depth: number): Json {
    const { random } = this
    if (bytes >= FAT_BYTES_MIN && random.chance(BOUND_SHARE)) return fatJson(bytes, depth, random)
    const kind = random.below(depth > 0 ? 7 : 5)
    if (kind === 0) return null
    if (kind === 1) return random.chance(0.5)
    if (kind === 2) return random.pick(NUMBERS) * (random.chance(0.3) ? -1 : 1)
    if (kind < 5) return this.text(Math.min(bytes >> 3, 64))
    const items = Array.from({ length: random.below(4) }, () => this.json(bytes >> 3, depth - 1))
    return kind === 5 ? items : Object.fromEntries(items.map((item, at) => [`${this.text(16)}${at}`, item]))
  }

  private text(maxBytes: number): string {
    const { random } = this
    const text = random.chance(0.5)
      ? random.pick(TEXTS)
      : 'x'.repeat(random.chance(BOUND_SHARE) ? maxBytes : random.below(12))
    return Buffer.byteLength(text) > maxBytes ? '' : text
  }

  private bytes(length: number): Buffer {
    return Buffer.from(Array.from({ length }, () => this.random.below(256)))
  }

  private count(max: number, level: number): number {
    const { random } = this
    if (level < 2 && random.chance(BOUND_SHARE)) return Math.min(max, level === 0 ? max : 64)
    return Math.min(max, random.below(INNER_ITEMS_MAX + 1))
  }

  private changed(of: Expression, value: unknown, at: Place): unknown {
    const { random, pools } = this
    const [first, second] = of.args
    const below = (part: Expression, one: unknown, field = at.field): unknown =>
      this.changed(part, one, { ...at, field, level: at.level + 1 })
    const anew = (): unknown => this.make(of, at)
    switch (of.op) {
      case 'struct': {
        const before = value as Readonly<Record<string, unknown>>
        if (of.parts.length === 0) return before
        const [name, part] = random.pick(of.parts)
        return { ...before, [name]: below(part as Expression, before[name], name) }
      }
      case 'option':
        if (value === undefined) return this.make(first as Expression, { ...at, level: at.level + 1 })
        return random.chance(0.3) ? undefined : below(first as Expression, value)
      case 'list':
        return this.changedList(value as readonly unknown[], second as number, (one) =>
          one === undefined
            ? this.make(first as Expression, { ...at, level: at.level + 1 })
            : below(first as Expression, one),
        )
      case 'enum': {
        if (typeof value === 'string' || random.chance(0.3)) return anew()
        const before = value as { readonly kind: string; readonly value: unknown }
        const part = of.parts.find(([kind]) => kind === before.kind)?.[1]
        return part === undefined ? anew() : { ...before, value: below(part, before.value) }
      }
      case 'open': {
        const before = value as { readonly kind: string; readonly value: unknown }
        const found = pools.open[(first as Expression).op]?.find(({ kind }) => kind === before.kind)
        return found === undefined || random.chance(0.3)
          ? anew()
          : { ...before, value: this.vary(found.schema, before.value, at.depth + 1) }
      }
      case 'lazy':
      case 'bounded':
      case 'refine':
        return below(first as Expression, value)
      case 'u8':
      case 'u16':
      case 'u32':
      case 'varint': {
        const most = LIMITS[of.op] ?? Number.MAX_SAFE_INTEGER
        const near = [(value as number) - 1, (value as number) + 1, most - 1, most, 0, 1]
        return Math.max(0, Math.min(most, random.chance(0.7) ? random.pick(near) : random.pick(NUMBERS)))
      }
      case 'varint64':
      case 'u64':
        return random.pick([...BIG, (value as bigint) + 1n])
      case 'numeric': {
        const { mantissa, scale } = value as Numeric
        const picked = random.chance(0.3) ? mantissa + random.pick([-1n, 1n]) : random.pick(MANTISSAS)
        return normalizeNumeric({ mantissa: picked, scale: random.pick([scale, 0, 1, 28]) }) ?? value
      }
      case 'string':
      case 'text':
        return random.chance(0.3) ? 'x'.repeat(first as number) : anew()
      case 'bytes':
        return random.pick([Buffer.alloc(0), this.bytes(1), this.bytes(first as number), anew()])
      case 'bytesN': {
        // One bit: what is nearly right.
        const bytes = Buffer.from(value as Uint8Array)
        if (bytes.length > 0 && random.chance(0.5)) bytes[random.below(bytes.length)]! ^= 1 << random.below(8)
        return bytes
      }
    }
    const named = at.named.get(of.op)
    if (named === undefined || pools.types[of.op] !== undefined || random.chance(0.2)) return anew()
    return this.changed(named, value, at)
  }

  /** A list without some of it, with some of it twice, as long as it may be, with one of it changed. */
  private changedList(before: readonly unknown[], most: number, change: (one: unknown) => unknown): readonly unknown[] {
    const { random } = this
    const [first] = before
    const at = random.below(Math.max(1, before.length))
    const ways: readonly (() => readonly unknown[])[] = [
      () => before.filter((_, index) => index !== at),
      () => (before.length < most ? [...before, before[at] ?? change(undefined)] : before),
      () => (before.length < most ? [...before, change(undefined)] : before),
      () =>
        Array.from(
          { length: most },
          (_, index) => before[index] ?? (random.chance(0.5) ? first : undefined) ?? change(undefined),
        ),
      () => before.map((one, index) => (index === at ? change(one) : one)),
      () => before.map((one, index) => (index === at ? change(one) : one)),
    ]
    return random.pick(ways)()
  }

  private make(of: Expression, at: Place): unknown {
    const { random, pools } = this
    const hint = pools.fields[at.field]
    if (hint !== undefined && /^(string|bytesN|varint|Name|AccountId)$/.test(of.op) && random.chance(0.7))
      return hint(random)
    const maker = pools.types[of.op]
    if (maker !== undefined) return maker(random)
    const [first, second] = of.args
    const size = typeof first === 'number' ? first : 0
    const inner = (field = at.field): unknown => this.make(first as Expression, { ...at, field, level: at.level + 1 })
    switch (of.op) {
      case 'bool':
        return random.chance(0.5)
      case 'u8':
      case 'u16':
      case 'u32':
        return random.chance(0.7) ? random.below(6) : Math.min(random.pick(NUMBERS), LIMITS[of.op] ?? 0)
      case 'varint':
        return random.chance(0.6) ? random.below(6) : random.pick(NUMBERS)
      case 'varint64':
        return random.chance(0.8) ? 0n : random.pick([1n, 2n ** 32n, 2n ** 64n - 1n])
      case 'u64':
        return random.pick(BIG)
      case 'zigzag':
        return random.pick(NUMBERS) * (random.chance(0.5) ? -1 : 1)
      case 'numeric': {
        const scale = random.chance(0.7) ? 0 : random.pick([1, 2, 3, 28])
        const mantissa = random.chance(0.8)
          ? BigInt(random.below(20))
          : random.pick([-1n, 2n ** 64n, 2n ** 256n - 1n, 2n ** 418n, 2n ** 511n - 1n, -(2n ** 511n)])
        return mantissa % 10n === 0n ? { mantissa, scale: 0 } : { mantissa, scale }
      }
      case 'string':
        return this.text(size)
      case 'text':
      case 'key':
        return 'x'.repeat(1 + random.below(size))
      case 'keyN':
        return this.bytes(size).toString('latin1')
      case 'bytesN':
        return this.bytes(size)
      case 'bytes':
      case 'hex':
        return this.bytes(random.below(Math.min(size, 256) + 1))
      case 'json':
        return this.json(size, second as number)
      case 'option':
        return random.chance(0.5) ? undefined : inner()
      case 'list':
        return Array.from({ length: this.count(second as number, at.level) }, () => inner())
      case 'map': {
        const [, value, max] = of.args as [Expression, Expression, number]
        const keys = new Set(Array.from({ length: this.count(max, at.level) }, () => inner('key') as string))
        return new Map([...keys].map((key) => [key, this.make(value, { ...at, field: key, level: at.level + 1 })]))
      }
      case 'struct':
        return Object.fromEntries(
          of.parts.map(([name, part]) => [
            name,
            this.make(part as Expression, { ...at, field: name, level: at.level + 1 }),
          ]),
        )
      case 'enum': {
        const [kind, part] = random.pick(of.parts)
        if (of.parts.every(([, one]) => one === undefined)) return kind
        return { kind, value: part === undefined ? undefined : this.make(part, { ...at, level: at.level + 1 }) }
      }
      case 'open': {
        const members = pools.open[(first as Expression).op] ?? []
        const { kind, schema } = random.pick(members)
        // Beyond this depth whatever needs no further one.
        if (at.depth >= OPEN_DEPTH_MAX) return { kind: 'log', value: { level: 'info', text: '' } }
        return { kind, value: this.of(schema, at.depth + 1) }
      }
      case 'lazy':
      case 'bounded':
      case 'refine':
        return inner()
    }
    const named = at.named.get(of.op)
    if (named === undefined) throw new Error(`the generator does not know ${of.op}`)
    return this.make(named, at)
  }
}
