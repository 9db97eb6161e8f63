/** Owns values of contracts in the browser: bytes of arguments and events by the types in the contract's manifest. */
import { type Params, paramsType, type ValueType } from '../features/contracts/schema/type-texts.js'

const BECH32 = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const GENERATOR = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3]
/** Constant of the bech32m checksum (BIP-350). */
const BECH32M = 0x2bc830a3
const CHECKSUM_LENGTH = 6

function checksum(values: readonly number[]): number {
  let sum = 1
  for (const value of values) {
    const top = sum >>> 25
    sum = ((sum & 0x1ffffff) << 5) ^ value
    for (const [bit, term] of GENERATOR.entries()) if ((top >>> bit) & 1) sum ^= term
  }
  return sum
}

/** Groups of five bits, the last one padded with zeros. */
function fiveBits(bytes: Uint8Array): number[] {
  const groups: number[] = []
  let [rest, bits] = [0, 0]
  for (const byte of bytes) {
    rest = ((rest << 8) | byte) & 0xfff
    for (bits += 8; bits >= 5; ) {
      bits -= 5
      groups.push((rest >>> bits) & 31)
    }
  }
  return bits === 0 ? groups : [...groups, (rest << (5 - bits)) & 31]
}

/** Bech32m text of the payload of an address. */
export function addressText(payload: Uint8Array, prefix: string): string {
  const codes = [...prefix].map((sign) => sign.charCodeAt(0))
  const expanded = [...codes.map((code) => code >>> 5), 0, ...codes.map((code) => code & 31)]
  const data = fiveBits(payload)
  const sum = checksum([...expanded, ...data, ...new Array<number>(CHECKSUM_LENGTH).fill(0)]) ^ BECH32M
  const check = Array.from({ length: CHECKSUM_LENGTH }, (_, at) => (sum >>> (5 * (CHECKSUM_LENGTH - 1 - at))) & 31)
  return `${prefix}1${[...data, ...check].map((value) => BECH32[value]).join('')}`
}

/** Text of a decimal, encoded as scale, length of the mantissa, and mantissa in two's complement, big endian. */
function decimalText(bytes: Uint8Array): string {
  const [scale = 0, , ...mantissa] = bytes
  const size = mantissa.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n)
  const value = BigInt.asIntN(8 * mantissa.length, size)
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, '0')
  const at = digits.length - scale
  return `${value < 0n ? '-' : ''}${digits.slice(0, at)}${scale === 0 ? '' : `.${digits.slice(at)}`}`
}

const hexText = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')

/** Sequential reader of values; a read beyond the end throws a RangeError. */
class Values {
  private at = 0
  private readonly view: DataView

  constructor(
    private readonly bytes: Uint8Array,
    private readonly prefix: string,
  ) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  get isAtEnd(): boolean {
    return this.at === this.bytes.length
  }

  read(type: ValueType): unknown {
    switch (type.kind) {
      case 'bool':
        return this.integer(1) !== 0n
      case 'u8':
      case 'u16':
      case 'u32':
      case 'u64':
        return String(this.integer({ u8: 1, u16: 2, u32: 4, u64: 8 }[type.kind]))
      case 'i64':
        return String(BigInt.asIntN(64, this.integer(8)))
      case 'option':
        return this.integer(1) === 0n ? null : this.read(type.of)
      case 'list':
        return this.list(type.of)
      case 'struct':
        return Object.fromEntries(type.fields.map(({ name, type: of }) => [name, this.read(of)]))
      default:
        return this.text(type.kind)
    }
  }

  /** Integer of `width` bytes, little endian. */
  private integer(width: number): bigint {
    let value = 0n
    for (let byte = 0; byte < width; byte += 1) value |= BigInt(this.view.getUint8(this.at + byte)) << BigInt(8 * byte)
    this.at += width
    return value
  }

  private list(of: ValueType): unknown[] {
    const values: unknown[] = []
    for (let left = Number(this.integer(4)); left > 0; left -= 1) values.push(this.read(of))
    return values
  }

  private text(kind: string): string {
    const length = Number(this.integer(4))
    const end = this.at + length
    if (end > this.bytes.length) throw new RangeError('unexpected end of input')
    const part = this.bytes.subarray(this.at, end)
    this.at = end
    if (kind === 'account') return addressText(part, this.prefix)
    if (kind === 'numeric') return decimalText(part)
    return kind === 'bytes' ? hexText(part) : new TextDecoder('utf-8', { fatal: true }).decode(part)
  }
}

/** Values by name; undefined if the bytes do not match the types. */
export function valuesOf(
  params: Params,
  base64: string,
  prefix: string,
): Readonly<Record<string, unknown>> | undefined {
  try {
    const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0))
    const values = new Values(bytes, prefix)
    const record = values.read(paramsType(params)) as Readonly<Record<string, unknown>>
    return values.isAtEnd ? record : undefined
  } catch {
    return undefined
  }
}
