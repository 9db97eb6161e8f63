/** Owns the benchmark of the codec: nanoseconds per encode, decode and check of a signed transfer. */
import { pinClosures } from '../../src/codec/struct.js'
import { samplePayload, sampleSchemas, sampleSigned } from '../unit/codec/sample.js'

/** Result of one operation. */
export interface CodecFigure {
  readonly name: string
  /** Median of the rounds, in nanoseconds per operation. */
  readonly ns: number
}

const ROUNDS = 31
const PER_ROUND = 2_000

function median(run: () => unknown): number {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const start = process.hrtime.bigint()
    for (let i = 0; i < PER_ROUND; i++) run()
    times.push(Number(process.hrtime.bigint() - start) / PER_ROUND)
  }
  return times.sort((a, b) => a - b)[ROUNDS >> 1]!
}

/** Measure a signed transfer with one metadata entry, with generated functions and with closures. */
export function benchCodec(): CodecFigure[] {
  const figures: CodecFigure[] = []
  for (const mode of ['generated', 'closures']) {
    const schemas = sampleSchemas()
    if (mode === 'closures') {
      pinClosures(schemas.signed)
      pinClosures(schemas.plain)
    }
    const { signed, plain } = schemas
    const lazyValue = sampleSigned(schemas)
    const value = { payload: samplePayload, signatures: lazyValue.signatures }
    const plainBytes = plain.encode(value)
    const signedBytes = signed.encode(lazyValue)
    const note = (name: string, run: () => unknown): void => {
      figures.push({ name: `codec ${mode} ${name}`, ns: Math.round(median(run)) })
    }
    note(`encode, ${plainBytes.length} B`, () => plain.encode(value))
    note('decode', () => plain.decode(plainBytes))
    note('check', () => plain.check(plainBytes))
    note('decode lazy (checks all)', () => signed.decode(signedBytes))
    note('decode lazy and its payload', () => {
      const decoded = signed.decode(signedBytes)
      return decoded.ok && decoded.value.payload.value
    })
    note('encode lazy', () => signed.encode(lazyValue))
    note('refuse a truncated one', () => plain.check(plainBytes.subarray(0, 100)))
  }
  return figures
}
