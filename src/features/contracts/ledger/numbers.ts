/** Owns decimals of contracts: exact sums and products, quotients to 18 digits rounded towards zero. */
import { formatNumeric, type Numeric, normalizeNumeric, numeric, parseNumeric } from '../../../codec/index.js'
import { add } from '../../../model/index.js'
import { type Instance as Engine, TRAP } from '../../../vm/index.js'
import { HOST_GAS } from '../schema/abi.js'
import { type CallFrame, give, rangeOf, trapped } from './frame.js'

/** Codes of `num`. */
const OP = { add: 0, sub: 1, mul: 2, div: 3, cmp: 4, parse: 5, format: 6 } as const
/** Results of `cmp`. */
const LESS = 0
const EQUAL = 1
const GREATER = 2
/** Fraction digits of a quotient. */
const QUOTIENT_SCALE = 18
/** Maximum length of an operand, in bytes: a decimal as text. */
const OPERAND_MAX_BYTES = 192

const negated = ({ mantissa, scale }: Numeric): Numeric => ({ mantissa: -mantissa, scale })

/** Quotient rounded towards zero; undefined above 512 bits. The divisor is not zero. */
function quotient(a: Numeric, b: Numeric): Numeric | undefined {
  const shift = QUOTIENT_SCALE + b.scale - a.scale
  const above = a.mantissa * 10n ** BigInt(Math.max(0, shift))
  const mantissa = above / (b.mantissa * 10n ** BigInt(Math.max(0, -shift)))
  return normalizeNumeric({ mantissa, scale: QUOTIENT_SCALE })
}

/** Product; undefined above 512 bits or 28 fraction digits. */
const product = (a: Numeric, b: Numeric): Numeric | undefined =>
  normalizeNumeric({ mantissa: a.mantissa * b.mantissa, scale: a.scale + b.scale })

function compared(a: Numeric, b: Numeric): number {
  const scale = Math.max(a.scale, b.scale)
  const x = a.mantissa * 10n ** BigInt(scale - a.scale)
  const y = b.mantissa * 10n ** BigInt(scale - b.scale)
  return x < y ? LESS : x === y ? EQUAL : GREATER
}

/** Operand in canonical bytes; undefined, with a trap, if invalid. */
function operand(engine: Engine, bytes: Uint8Array): Numeric | undefined {
  const decoded = numeric.decode(bytes.slice())
  if (decoded.ok) return decoded.value
  trapped(engine, TRAP.host_argument)
  return undefined
}

/** Host function `num(op, a, an, b, bn, d, cap)`: the length of its result, the result of `cmp`, or -1 for an error. */
export function numbers(frame: CallFrame, engine: Engine, a: Int32Array): number {
  const op = a[0]!
  const [left, right] = [rangeOf(engine, a[1]!, a[2]!), rangeOf(engine, a[3]!, a[4]!)]
  if (left === undefined || right === undefined) return 0
  if (op < OP.add || op > OP.format || left.length > OPERAND_MAX_BYTES || right.length > OPERAND_MAX_BYTES) {
    return trapped(engine, TRAP.host_argument)
  }
  if (!engine.charge(HOST_GAS.num + HOST_GAS.numByte * (left.length + right.length))) return 0
  const given = (value: Numeric | undefined): number =>
    value === undefined ? -1 : give(frame, engine, numeric.encode(value), a[5]!, a[6]!)
  if (op === OP.parse) return given(parseNumeric(Buffer.from(left).toString('latin1')))
  const x = operand(engine, left)
  if (x === undefined) return 0
  if (op === OP.format) return give(frame, engine, Buffer.from(formatNumeric(x), 'latin1'), a[5]!, a[6]!)
  const y = operand(engine, right)
  if (y === undefined) return 0
  switch (op) {
    case OP.add:
      return given(add(x, y))
    case OP.sub:
      return given(add(x, negated(y)))
    case OP.mul:
      return given(product(x, y))
    case OP.div:
      return y.mantissa === 0n ? trapped(engine, TRAP.divide_by_zero) : given(quotient(x, y))
    default:
      return compared(x, y)
  }
}
