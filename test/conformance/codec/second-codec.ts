/** Owns a second codec, written from docs/reference/codec.md alone and importing nothing from src: JSON twin to bytes and back. */
import { blake3 } from '@noble/hashes/blake3.js'
import type { Description, Type } from './description.js'

/** Rules that the page leaves to named types and registries. */
export interface Environment {
  /** Text of a key as hex of its bytes, after this prefix; the vectors use no other keys. */
  readonly keyPrefix: string
  /** Regular expressions that named texts and keys (as hex) keep, by type name. */
  readonly rules: Readonly<Record<string, RegExp>>
  readonly registries: Readonly<Record<string, readonly { id: number; kind: string; type: Description }[]>>
}

/** A refusal: its message is the code. */
export class Refusal extends Error {}
const refuse = (code: string): never => {
  throw new Refusal(code)
}

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const pascal = (name: string): string => name[0]!.toUpperCase() + name.slice(1)
const hexOf = (bytes: number[]): string => bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')
const ofHex = (text: string): number[] => (text.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16))
const utf8 = (text: string): number[] => [...new TextEncoder().encode(text)]

/** hash(tag, part) of the page: first `size` bytes, as hex. */
export function taggedHash(tag: string, part: number[], size = 32): string {
  const length = [24, 16, 8, 0].map((shift) => (part.length >>> shift) & 0xff)
  return hexOf([...blake3(Uint8Array.from([tag.length, ...utf8(tag), ...length, ...part]))].slice(0, size))
}

function leb(value: bigint): number[] {
  const out: number[] = []
  let rest = value
  while (rest >= 128n) {
    out.push(Number(rest % 128n) + 128)
    rest /= 128n
  }
  return [...out, Number(rest)]
}

const little = (value: bigint, size: number): number[] =>
  Array.from({ length: size }, (_, i) => Number((value >> BigInt(8 * i)) & 0xffn))

function compare(a: number[], b: number[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) if (a[i] !== b[i]) return a[i]! - b[i]!
  return a.length - b.length
}

function canonical(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  const keys = Object.keys(value).sort((a, b) => (a < b ? -1 : 1))
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical((value as Record<string, unknown>)[key])}`).join(',')}}`
}

function depthOf(value: unknown): number {
  if (value === null || typeof value !== 'object') return 0
  return 1 + Math.max(0, ...Object.values(value).map(depthOf))
}

function onlyIntegers(value: unknown): boolean {
  if (typeof value === 'number') return Number.isSafeInteger(value) && !Object.is(value, -0)
  return value === null || typeof value !== 'object' || Object.values(value).every(onlyIntegers)
}

function numericBytes(text: string): number[] {
  const [whole = '', fraction = ''] = text.split('.')
  const mantissa = BigInt(whole + fraction)
  let size = 1
  while (BigInt.asIntN(8 * size, mantissa) !== mantissa) size++
  const big = little(BigInt.asUintN(8 * size, mantissa), size).reverse()
  return [fraction.length, size, ...big]
}

/** One description in one environment. */
export class SecondCodec {
  constructor(
    private readonly description: Description,
    private readonly environment: Environment,
  ) {}

  /** Bytes of a JSON twin in its canonical form. */
  encode(json: unknown): number[] {
    return this.write(this.description.root, json)
  }

  /** JSON twin of bytes. */
  decode(bytes: number[], depth = 0): unknown {
    const input = new Input(bytes, depth)
    const json = this.read(this.description.root, input)
    if (input.at !== bytes.length) refuse('trailing_bytes')
    return json
  }

  private named(name: string): Type {
    const type = this.description.named.get(name)
    if (type === undefined) throw new Error(`no type ${name}`)
    return type
  }

  private member(registry: string, test: (entry: { id: number; kind: string }) => boolean) {
    const entry = this.environment.registries[registry]!.find(test) ?? refuse('unknown_instruction')
    return { ...entry, codec: new SecondCodec(entry.type, this.environment) }
  }

  private jsonIsString(type: Type): boolean {
    if (type.is === 'named') return this.jsonIsString(this.named(type.name))
    if (type.is === 'refine' || type.is === 'lazy') return this.jsonIsString(type.of)
    if (type.is === 'enum') return type.variants.every((variant) => variant.type === undefined)
    return ['u64', 'varint64', 'bytes', 'hex', 'bytesN', 'string', 'text', 'key', 'keyN'].includes(type.is)
  }

  // biome-ignore lint/suspicious/noExplicitAny: a JSON twin of any type
  private write(type: Type, json: any): number[] {
    const sized = (bytes: number[]): number[] => [...leb(BigInt(bytes.length)), ...bytes]
    switch (type.is) {
      case 'u8':
      case 'u16':
      case 'u32':
      case 'u64':
        return little(BigInt(json), Number(type.is.slice(1)) / 8)
      case 'varint':
      case 'varint64':
        return leb(BigInt(json))
      case 'zigzag':
        return leb(json < 0 ? -2n * BigInt(json) - 1n : 2n * BigInt(json))
      case 'bool':
        return [json ? 1 : 0]
      case 'bytes':
        return sized([...Buffer.from(json, 'base64')])
      case 'hex':
        return sized(ofHex(json))
      case 'bytesN':
        return ofHex(json)
      case 'string':
      case 'text':
        return sized(utf8(json))
      case 'key':
        return sized(ofHex(json.slice(this.environment.keyPrefix.length)))
      case 'keyN':
        return ofHex(json.slice(this.environment.keyPrefix.length))
      case 'numeric':
        return numericBytes(json)
      case 'json':
        return sized(utf8(canonical(json)))
      case 'option':
        return json === null ? [0] : [1, ...this.write(type.of, json)]
      case 'list':
        return [...leb(BigInt(json.length)), ...json.flatMap((item: unknown) => this.write(type.of, item))]
      case 'map': {
        const pairs: [unknown, unknown][] = this.jsonIsString(type.key) ? Object.entries(json) : json
        const entries = pairs.map(([key, value]) => [this.write(type.key, key), this.write(type.value, value)] as const)
        entries.sort((a, b) => compare(a[0], b[0]))
        return [...leb(BigInt(entries.length)), ...entries.flatMap(([key, value]) => [...key, ...value])]
      }
      case 'struct':
        return type.fields.flatMap(([name, field]) => this.write(field, json[snake(name)]))
      case 'enum': {
        const name = typeof json === 'string' ? json : Object.keys(json)[0]!
        const variant = type.variants.find((candidate) => pascal(candidate.name) === name)!
        return [
          ...leb(BigInt(variant.tag)),
          ...(variant.type === undefined ? [] : this.write(variant.type, json[name])),
        ]
      }
      case 'open': {
        const [name, body] = Object.entries(json)[0]!
        const entry = this.member(type.registry, ({ kind }) => pascal(kind) === name)
        return [...leb(BigInt(entry.id)), ...sized(entry.codec.encode(body))]
      }
      case 'lazy':
        return sized(this.write(type.of, json))
      case 'refine':
        return this.write(type.of, json)
      case 'rec':
      case 'named':
        return this.write(this.named(type.name), json)
    }
  }

  private read(type: Type, input: Input): unknown {
    switch (type.is) {
      case 'u8':
      case 'u16':
      case 'u32':
        return Number(input.little(Number(type.is.slice(1)) / 8))
      case 'u64':
        return input.little(8).toString()
      case 'varint':
        return Number(input.leb(8, (1n << 53n) - 1n))
      case 'zigzag': {
        const folded = input.leb(8, (1n << 53n) - 2n)
        return Number(folded % 2n === 0n ? folded / 2n : -(folded + 1n) / 2n)
      }
      case 'varint64':
        return input.leb(10, (1n << 64n) - 1n).toString()
      case 'bool': {
        const byte = input.take(1)[0]!
        return byte > 1 ? refuse('non_canonical') : byte === 1
      }
      case 'bytes':
        return Buffer.from(input.sized(type.max)).toString('base64')
      case 'hex':
        return hexOf(input.sized(type.max))
      case 'bytesN':
        return hexOf(input.take(type.max))
      case 'string':
        return input.text(type.max)
      case 'text': {
        const text = input.text(type.max)
        return this.environment.rules[type.name]?.test(text) === false ? refuse('bad_value') : text
      }
      case 'key':
      case 'keyN': {
        const hex = hexOf(type.is === 'key' ? input.sized(type.max) : input.take(type.max))
        return this.environment.rules[type.name]?.test(hex) === false
          ? refuse('bad_value')
          : this.environment.keyPrefix + hex
      }
      case 'numeric':
        return readNumeric(input)
      case 'json': {
        const text = input.text(type.max)
        return readJson(text, type.depth)
      }
      case 'option': {
        const tag = input.take(1)[0]!
        return tag > 1 ? refuse('bad_tag') : tag === 0 ? null : this.read(type.of, input)
      }
      case 'list':
        return Array.from({ length: input.count(type.max) }, () => this.read(type.of, input))
      case 'map':
        return this.readMap(type, input)
      case 'struct':
        return Object.fromEntries(type.fields.map(([name, field]) => [snake(name), this.read(field, input)]))
      case 'enum': {
        const tag = Number(input.leb(8, (1n << 53n) - 1n))
        const variant = type.variants.find((candidate) => candidate.tag === tag) ?? refuse('bad_tag')
        if (variant.type === undefined) return pascal(variant.name)
        return { [pascal(variant.name)]: this.read(variant.type, input) }
      }
      case 'open': {
        const id = Number(input.leb(8, (1n << 53n) - 1n))
        const entry = this.member(type.registry, (candidate) => candidate.id === id)
        input.enter()
        const json = entry.codec.decode(input.sized(Number.MAX_SAFE_INTEGER), input.depth)
        input.depth--
        return { [pascal(entry.kind)]: json }
      }
      case 'lazy': {
        const inner = new Input(input.sized(Number.MAX_SAFE_INTEGER), input.depth)
        const json = this.read(type.of, inner)
        return inner.left > 0 ? refuse('trailing_bytes') : json
      }
      case 'refine': {
        const json = this.read(type.of, input)
        return this.environment.rules[type.name]?.test(String(json)) === false ? refuse('bad_value') : json
      }
      case 'rec': {
        input.enter()
        const json = this.read(this.named(type.name), input)
        input.depth--
        return json
      }
      case 'named':
        return this.read(this.named(type.name), input)
    }
  }

  private readMap(type: Type & { is: 'map' }, input: Input): unknown {
    const pairs: [unknown, unknown][] = []
    let last: number[] | undefined
    for (let left = input.count(type.max); left > 0; left--) {
      const from = input.at
      const key = this.read(type.key, input)
      const bytes = input.bytes.slice(from, input.at)
      if (last !== undefined && compare(last, bytes) >= 0) refuse('non_canonical')
      last = bytes
      pairs.push([key, this.read(type.value, input)])
    }
    return this.jsonIsString(type.key) ? Object.fromEntries(pairs as [string, unknown][]) : pairs
  }
}

function readNumeric(input: Input): string {
  const scale = input.take(1)[0]!
  if (scale > 28) refuse('out_of_bounds')
  const size = input.take(1)[0]!
  if (size > 64) refuse('out_of_bounds')
  if (size === 0) refuse('non_canonical')
  const bytes = input.take(size)
  const mantissa = BigInt.asIntN(8 * size, BigInt(`0x${hexOf(bytes)}`))
  const whole = mantissa < 0n ? -mantissa : mantissa
  const digits = whole.toString().padStart(scale + 1, '0')
  const text = `${mantissa < 0n ? '-' : ''}${digits.slice(0, digits.length - scale)}${scale > 0 ? `.${digits.slice(-scale)}` : ''}`
  if (scale > 0 && text.endsWith('0')) refuse('non_canonical')
  return compare(numericBytes(text), [scale, size, ...bytes]) === 0 ? text : refuse('non_canonical')
}

function readJson(text: string, depth: number): unknown {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return refuse('malformed_json')
  }
  if (!onlyIntegers(json)) refuse('bad_value')
  if (depthOf(json) > depth) refuse('too_deep')
  return canonical(json) === text ? json : refuse('non_canonical')
}

class Input {
  at = 0
  constructor(
    readonly bytes: number[],
    public depth: number,
  ) {}

  get left(): number {
    return this.bytes.length - this.at
  }

  enter(): void {
    if (++this.depth > 32) refuse('too_deep')
  }

  take(size: number): number[] {
    if (size > this.left) refuse('truncated')
    this.at += size
    return this.bytes.slice(this.at - size, this.at)
  }

  little(size: number): bigint {
    return this.take(size).reduceRight((sum, byte) => sum * 256n + BigInt(byte), 0n)
  }

  leb(maxBytes: number, max: bigint): bigint {
    let value = 0n
    for (let i = 0; i < maxBytes; i++) {
      const byte = this.take(1)[0]!
      value += BigInt(byte & 0x7f) << BigInt(7 * i)
      if (byte < 0x80) {
        if (byte === 0 && i > 0) refuse('non_canonical')
        return value > max ? refuse('out_of_bounds') : value
      }
    }
    return refuse('out_of_bounds')
  }

  sized(max: number): number[] {
    const size = Number(this.leb(8, (1n << 53n) - 1n))
    if (size > max) refuse('out_of_bounds')
    return this.take(size)
  }

  count(max: number): number {
    const count = Number(this.leb(8, (1n << 53n) - 1n))
    if (count > max) refuse('out_of_bounds')
    // Every item takes at least one byte.
    return count > this.left ? refuse('truncated') : count
  }

  text(max: number): string {
    const bytes = this.sized(max)
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(bytes))
    } catch {
      return refuse('bad_utf8')
    }
  }
}
