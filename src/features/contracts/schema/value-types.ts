/**
 * Owns the conversion of JSON values of contracts to bytes by type. Integers are little endian of their width; texts,
 * bytes, account ids and decimals are canonical bytes after their length as u32, as are lists; an option has a tag
 * byte; the fields of a record are concatenated.
 */
import { isKeyOf } from '../../../base/guards.js'
import { formatNumeric, numeric, parseNumeric } from '../../../codec/index.js'
import { formatAddress, keyBytes, keyString, parseAddress } from '../../../model/index.js'
import { paramsType, type ValueType } from './type-texts.js'

const WIDTHS = { u8: 1, u16: 2, u32: 4, u64: 8, i64: 8 } as const

/** Text forms of values of variable length. `prefix`: address prefix of the chain. */
const TEXTS: Readonly<
  Record<
    string,
    { write(text: string, prefix: string): Buffer | undefined; read(bytes: Buffer, prefix: string): string }
  >
> = {
  string: { write: (text) => Buffer.from(text, 'utf8'), read: (bytes) => bytes.toString('utf8') },
  asset: { write: (text) => Buffer.from(text, 'utf8'), read: (bytes) => bytes.toString('utf8') },
  nft: { write: (text) => Buffer.from(text, 'utf8'), read: (bytes) => bytes.toString('utf8') },
  bytes: {
    write: (text) => (/^([0-9a-f]{2})*$/.test(text) ? Buffer.from(text, 'hex') : undefined),
    read: (bytes) => bytes.toString('hex'),
  },
  account: {
    write(text, prefix) {
      const id = parseAddress(text, prefix)
      return id === undefined ? undefined : keyBytes(id)
    },
    read: (bytes, prefix) => formatAddress(keyString(bytes), prefix),
  },
  numeric: {
    write(text) {
      const value = parseNumeric(text)
      return value === undefined ? undefined : numeric.encode(value)
    },
    read(bytes) {
      const decoded = numeric.decode(bytes)
      if (!decoded.ok) throw new Error('bytes cannot be read as a decimal')
      return formatNumeric(decoded.value)
    },
  },
}

function integerBytes(kind: keyof typeof WIDTHS, value: unknown, path: string): Buffer {
  if (typeof value !== 'string' && typeof value !== 'number') throw new Error(`${path}: expected an integer`)
  if (!/^-?\d{1,20}$/.test(String(value))) throw new Error(`${path}: ${value} is not an integer`)
  const bits = 8 * WIDTHS[kind]
  const whole = BigInt(value)
  const fits = kind === 'i64' ? BigInt.asIntN(64, whole) === whole : BigInt.asUintN(bits, whole) === whole
  if (!fits) throw new Error(`${path}: ${value} is not a valid ${kind}`)
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt.asUintN(64, whole))
  return bytes.subarray(0, WIDTHS[kind])
}
function lengthBytes(length: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(length)
  return bytes
}

/** Bytes of a JSON value of a type. Throws an error with the fault and its path. */
export function valueBytes(type: ValueType, value: unknown, prefix: string, path = 'value'): Buffer {
  if (value === undefined && type.kind !== 'option') throw new Error(`${path}: missing, expected ${type.kind}`)
  if (type.kind === 'bool') {
    if (typeof value !== 'boolean') throw new Error(`${path}: expected true or false`)
    return Buffer.of(value ? 1 : 0)
  }
  if (isKeyOf(WIDTHS, type.kind)) return integerBytes(type.kind, value, path)
  const text = TEXTS[type.kind]
  if (text !== undefined) {
    const bytes = typeof value === 'string' ? text.write(value, prefix) : undefined
    if (bytes === undefined) throw new Error(`${path}: ${JSON.stringify(value)} is not a valid ${type.kind}`)
    return Buffer.concat([lengthBytes(bytes.length), bytes])
  }
  if (type.kind === 'option') {
    return value === null || value === undefined
      ? Buffer.of(0)
      : Buffer.concat([Buffer.of(1), valueBytes(type.of, value, prefix, path)])
  }
  if (type.kind === 'list') {
    if (!Array.isArray(value)) throw new Error(`${path}: expected a list`)
    return Buffer.concat([
      lengthBytes(value.length),
      ...value.map((one, index) => valueBytes(type.of, one, prefix, `${path}[${index}]`)),
    ])
  }
  if (type.kind !== 'struct' || typeof value !== 'object' || value === null)
    throw new Error(`${path}: expected an object`)
  const record = value as Readonly<Record<string, unknown>>
  for (const name of Object.keys(record)) {
    if (!type.fields.some((field) => field.name === name)) throw new Error(`${path}.${name}: unknown field`)
  }
  return Buffer.concat(type.fields.map(({ name, type: of }) => valueBytes(of, record[name], prefix, `${path}.${name}`)))
}

/** Arguments of an entrypoint as its input. */
export const inputBytes = (
  params: readonly { readonly name: string; readonly type: string }[],
  args: Readonly<Record<string, unknown>>,
  prefix: string,
): Buffer => valueBytes(paramsType(params), args, prefix, 'arguments')

/** Decoded value, and its end. */
interface Taken {
  readonly value: unknown
  readonly end: number
}

function take(type: ValueType, bytes: Buffer, at: number, prefix: string): Taken {
  const lengthAt = (): number => {
    if (at + 4 > bytes.length) throw new Error('unexpected end of input')
    return bytes.readUInt32LE(at)
  }
  if (type.kind === 'bool') return { value: bytes.readUInt8(at) !== 0, end: at + 1 }
  if (type.kind === 'u64') return { value: bytes.readBigUInt64LE(at).toString(), end: at + 8 }
  if (type.kind === 'i64') return { value: bytes.readBigInt64LE(at).toString(), end: at + 8 }
  if (type.kind === 'u8' || type.kind === 'u16' || type.kind === 'u32') {
    return { value: bytes.readUIntLE(at, WIDTHS[type.kind]), end: at + WIDTHS[type.kind] }
  }
  if (type.kind === 'option') {
    return bytes.readUInt8(at) === 0 ? { value: null, end: at + 1 } : take(type.of, bytes, at + 1, prefix)
  }
  if (type.kind === 'list') {
    const values: unknown[] = []
    let end = at + 4
    for (let left = lengthAt(); left > 0; left -= 1) {
      const one = take(type.of, bytes, end, prefix)
      values.push(one.value)
      end = one.end
    }
    return { value: values, end }
  }
  if (type.kind === 'struct') {
    const record: Record<string, unknown> = {}
    let end = at
    for (const { name, type: of } of type.fields) {
      const one = take(of, bytes, end, prefix)
      record[name] = one.value
      end = one.end
    }
    return { value: record, end }
  }
  const end = at + 4 + lengthAt()
  if (end > bytes.length) throw new Error('unexpected end of input')
  const text = TEXTS[type.kind]
  if (text === undefined) throw new Error(`${type.kind} is not a text type`)
  return { value: text.read(bytes.subarray(at + 4, end), prefix), end }
}

/** JSON value of bytes of a type. Throws if they are malformed. */
export function valueOfBytes(type: ValueType, bytes: Uint8Array, prefix: string): unknown {
  const buffer = Buffer.from(bytes)
  const { value, end } = take(type, buffer, 0, prefix)
  if (end !== buffer.length) throw new Error('unexpected bytes after the value')
  return value
}
