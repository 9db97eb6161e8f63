/** Owns the records that `causeway codec` knows by name: frames, instructions, events, and their parts. */
import {
  type CodecContext,
  type Decoded,
  type FrameOf,
  fromHex,
  type Json,
  pascalCase,
  type Schema,
} from '../../codec/index.js'
import { ALL_FRAMES, FEATURE_SCHEMAS } from '../../features/composed.js'
import {
  anyInstruction,
  blockBody,
  blockHeader,
  dataEvent,
  LedgerError,
  quorumCertificate,
  transactionPayload,
} from '../../model/index.js'
import { usageError } from '../terminal/failure.js'

/** Record with its name. */
export interface CodecType {
  readonly name: string
  readonly sort: 'frame' | 'record' | 'instruction' | 'event'
  /** Id of the frame, or of the registry member. */
  readonly id: number | undefined
  readonly schema: Schema<unknown>
  readonly frame: FrameOf<unknown> | undefined
}

const record = <T>(name: string, schema: Schema<T>): CodecType => ({
  name,
  sort: 'record',
  id: undefined,
  schema: schema as Schema<unknown>,
  frame: undefined,
})

/** All records: frames by type id, then records, then instructions and events by feature. */
export const CODEC_TYPES: readonly CodecType[] = [
  ...ALL_FRAMES.map(
    (frame): CodecType => ({
      name: frame.schema.name ?? '',
      sort: 'frame',
      id: frame.typeId,
      schema: frame.schema,
      frame,
    }),
  ),
  record('TransactionPayload', transactionPayload),
  record('Instruction', anyInstruction),
  record('DataEvent', dataEvent),
  record('BlockHeader', blockHeader),
  record('BlockBody', blockBody),
  record('QuorumCertificate', quorumCertificate),
  ...FEATURE_SCHEMAS.flatMap(({ instructions, events }) => [
    ...Object.values(instructions).map(({ id, kind, schema }) => ({
      ...record(pascalCase(kind), schema),
      sort: 'instruction' as const,
      id,
    })),
    ...Object.values(events).map(({ id, kind, schema }) => ({
      ...record(`event:${kind}`, schema),
      sort: 'event' as const,
      id,
    })),
  ]),
]

/** Record with a name, ignoring case; throws `not_found` with close names. */
export function codecType(name: string): CodecType {
  const wanted = name.toLowerCase()
  const found = CODEC_TYPES.find((type) => type.name.toLowerCase() === wanted)
  if (found !== undefined) return found
  const near = CODEC_TYPES.filter((type) => type.name.toLowerCase().includes(wanted)).map((type) => type.name)
  throw new LedgerError('not_found', `unknown record ${name}`, {
    hint:
      near.length === 0
        ? 'Run `causeway codec schema`, which lists the records.'
        : `Give one of ${near.slice(0, 5).join(', ')}.`,
  })
}

const MAGIC = Buffer.from('CWY1', 'latin1')

/** Decode hexadecimal text to bytes; other bytes are returned unchanged. */
export function bytesOf(input: Buffer): Buffer {
  const text = input.toString('latin1').replace(/\s+/g, '').replace(/^0x/, '')
  return /^(?:[0-9a-fA-F]{2})+$/.test(text) ? Buffer.from(fromHex(text.toLowerCase()) ?? input) : input
}

/**
 * JSON form of a frame, which contains its record type, or of the canonical bytes of a record. Throws the codec's code.
 */
export function decodeToJson(
  bytes: Buffer,
  type: CodecType | undefined,
  codec: CodecContext,
): { type: string; value: Json } {
  const framed = bytes.subarray(0, MAGIC.length).equals(MAGIC)
  const held = framed ? CODEC_TYPES.find((one) => one.frame?.typeId === bytes.readUInt16LE(6)) : type
  if (held === undefined || (framed && type !== undefined && type !== held)) {
    throw framed
      ? new LedgerError('schema_mismatch', 'the frame contains another record')
      : usageError(
          'bare bytes do not contain their record type',
          'Give --type; `causeway codec schema` lists the records.',
        )
  }
  const decoded: Decoded<unknown> =
    framed && held.frame !== undefined ? held.frame.open(bytes, codec) : held.schema.decode(bytes, codec)
  if (decoded.ok) return { type: held.name, value: held.schema.toJson(decoded.value, codec) }
  const { code, message, at } = decoded.fault
  throw new LedgerError(code, `${held.name}: ${message}`, { details: { at: at ?? null } })
}

/** Canonical bytes of a JSON form, with `framed` in the frame of the record. Throws the codec's code. */
export function encodeFromJson(jsonForm: Json, type: CodecType, framed: boolean, codec: CodecContext): Buffer {
  const decoded = type.schema.fromJson(jsonForm, codec)
  if (!decoded.ok) {
    const { code, message, path } = decoded.fault
    throw new LedgerError(code, `${type.name}${path === undefined || path === '' ? '' : `.${path}`}: ${message}`)
  }
  if (!framed) return type.schema.encode(decoded.value, codec)
  if (type.frame === undefined) throw new LedgerError('schema_mismatch', `${type.name} has no separate frame`)
  return type.frame.seal(decoded.value, codec)
}
