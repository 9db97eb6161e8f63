/** Owns the 32-byte frame header before a payload on HTTP, peer links and disk. */
import { crc32 } from 'node:zlib'
import type { CodecFaultCode, Decoded } from './fault.js'
import { DEFAULT_MAX_BYTES } from './limits.js'
import { SCHEMA_HASH_BYTES } from './node.js'
import type { CodecContext, Schema } from './schema.js'
import { viewOf } from './text.js'

/** Bytes before the payload. */
export const FRAME_HEADER_BYTES = 32
const MAGIC = Buffer.from('CWY1', 'latin1')
const VERSION = 1
const MAX_TYPE_ID = 0xffff

// Offsets: magic 0, version 4, flags 5, type id 6, schema hash 8, length 24, crc32 28
const AT_VERSION = 4
const AT_FLAGS = 5
const AT_TYPE = 6
const AT_HASH = 8
const AT_LENGTH = 24
const AT_CRC = 28

/** Options for writing and reading a frame. */
export interface FrameOptions {
  /**
   * True: the header contains the CRC-32 of the payload, checked on reading. False: zero, and any other value is
   * rejected.
   */
  readonly checksum: boolean
  /** Maximum payload size, in bytes. */
  readonly maxBytes?: number
}

/** Decoded frame header. */
export interface FrameHeader {
  readonly typeId: number
  /** Schema hash, 16 bytes; a view into the header. */
  readonly schemaHash: Buffer
  /** Size of the payload, in bytes. */
  readonly length: number
  readonly crc: number
}

/** Complete frame; views into the input. */
export interface Frame {
  readonly typeId: number
  readonly schemaHash: Buffer
  readonly payload: Buffer
}

const refuse = (
  code: CodecFaultCode,
  message: string,
  at: number,
): { ok: false; fault: { code: CodecFaultCode; message: string; at: number } } => ({
  ok: false,
  fault: { code, message, at },
})

/** Header and payload in a new buffer. */
export function encodeFrame(
  typeId: number,
  schema: Pick<Schema<unknown>, 'hash'>,
  payload: Uint8Array,
  options: FrameOptions,
): Buffer {
  if (!Number.isInteger(typeId) || typeId < 0 || typeId > MAX_TYPE_ID)
    throw new Error(`invalid frame type id ${typeId}`)
  const maxBytes = options.maxBytes ?? DEFAULT_MAX_BYTES
  if (payload.length > maxBytes)
    throw new Error(`frame payload of ${payload.length} bytes exceeds the limit of ${maxBytes}`)
  const frame = Buffer.allocUnsafe(FRAME_HEADER_BYTES + payload.length)
  MAGIC.copy(frame)
  frame[AT_VERSION] = VERSION
  frame[AT_FLAGS] = 0
  frame.writeUInt16LE(typeId, AT_TYPE)
  schema.hash.copy(frame, AT_HASH)
  frame.writeUInt32LE(payload.length, AT_LENGTH)
  frame.writeUInt32LE(options.checksum ? crc32(payload) : 0, AT_CRC)
  frame.set(payload, FRAME_HEADER_BYTES)
  return frame
}

/** Read the header at the start of `bytes`, for streams: the payload may be incomplete. */
export function readFrameHeader(bytes: Uint8Array, options: FrameOptions): Decoded<FrameHeader> {
  const view = viewOf(bytes)
  const seen = Math.min(view.length, MAGIC.length)
  if (view.compare(MAGIC, 0, seen, 0, seen) !== 0) return refuse('bad_magic', 'the bytes do not begin with CWY1', 0)
  if (view.length < FRAME_HEADER_BYTES) {
    return refuse('truncated', `a frame header has ${FRAME_HEADER_BYTES} bytes, got ${view.length}`, view.length)
  }
  const version = view[AT_VERSION]!
  if (version !== VERSION)
    return refuse('unsupported_version', `frame version ${version}, expected ${VERSION}`, AT_VERSION)
  if (view[AT_FLAGS] !== 0) return refuse('unsupported_version', `unknown frame flags ${view[AT_FLAGS]}`, AT_FLAGS)
  const length = view.readUInt32LE(AT_LENGTH)
  const maxBytes = options.maxBytes ?? DEFAULT_MAX_BYTES
  if (length > maxBytes)
    return refuse('out_of_bounds', `a payload of ${length} bytes exceeds the limit of ${maxBytes}`, AT_LENGTH)
  const crc = view.readUInt32LE(AT_CRC)
  if (!options.checksum && crc !== 0) return refuse('bad_checksum', 'frames on this link have no checksum', AT_CRC)
  const schemaHash = view.subarray(AT_HASH, AT_HASH + SCHEMA_HASH_BYTES)
  return { ok: true, value: { typeId: view.readUInt16LE(AT_TYPE), schemaHash, length, crc } }
}

/** Read exactly one frame. */
export function decodeFrame(bytes: Uint8Array, options: FrameOptions): Decoded<Frame> {
  const header = readFrameHeader(bytes, options)
  if (!header.ok) return header
  const { typeId, schemaHash, length, crc } = header.value
  const payload = viewOf(bytes).subarray(FRAME_HEADER_BYTES)
  if (payload.length < length)
    return refuse('truncated', `the payload has ${length} bytes, got ${payload.length}`, bytes.length)
  if (payload.length > length) {
    return refuse('trailing_bytes', `${payload.length - length} bytes after the payload`, FRAME_HEADER_BYTES + length)
  }
  if (options.checksum && crc32(payload) !== crc)
    return refuse('bad_checksum', 'the payload does not match its checksum', AT_CRC)
  return { ok: true, value: { typeId, schemaHash, payload } }
}

/** Codec of frames of one type. */
export interface FrameOf<T> {
  readonly typeId: number
  readonly schema: Schema<T>
  /** Framed bytes of a value; with a checksum by default. */
  seal(value: T, ctx?: CodecContext, options?: FrameOptions): Buffer
  /** Framed bytes of an already encoded payload. */
  wrap(payload: Uint8Array, options?: FrameOptions): Buffer
  /** Value in a frame of this type and schema. */
  open(bytes: Uint8Array, ctx?: CodecContext, options?: FrameOptions): Decoded<T>
}

/** Frame of a record type: its number, which is never reused, and its schema. */
export function frameOf<T>(typeId: number, schema: Schema<T>): FrameOf<T> {
  const usual: FrameOptions = { checksum: true }
  return {
    typeId,
    schema,
    seal: (value, ctx, options = usual) => encodeFrame(typeId, schema, schema.encode(value, ctx), options),
    wrap: (payload, options = usual) => encodeFrame(typeId, schema, payload, options),
    open: (bytes, ctx, options = usual) => {
      const frame = decodeFrame(bytes, options)
      if (!frame.ok) return frame
      const { typeId: found, schemaHash, payload } = frame.value
      const label = schema.name ?? 'value'
      if (found !== typeId) return refuse('schema_mismatch', `type id ${found}, expected ${typeId} (${label})`, AT_TYPE)
      if (!schemaHash.equals(schema.hash)) {
        const hashes = `${schemaHash.toString('hex')}, expected ${schema.hash.toString('hex')}`
        return refuse('schema_mismatch', `schema hash ${hashes} (${label})`, AT_HASH)
      }
      const decoded = schema.decode(
        payload,
        ctx,
        options.maxBytes === undefined ? undefined : { maxBytes: options.maxBytes },
      )
      if (decoded.ok || decoded.fault.at === undefined) return decoded
      return { ok: false, fault: { ...decoded.fault, at: decoded.fault.at + FRAME_HEADER_BYTES } }
    },
  }
}
