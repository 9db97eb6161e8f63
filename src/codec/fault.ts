/** Owns the faults of the codec: their codes, the value that callers see, and the plain object that is thrown inside. */

/** Faults of bytes or JSON that do not match the schema; the same strings as in the error catalogue. */
export type CodecFaultCode =
  | 'truncated'
  | 'trailing_bytes'
  | 'non_canonical'
  | 'bad_tag'
  | 'bad_utf8'
  | 'out_of_bounds'
  | 'too_deep'
  | 'bad_value'
  | 'bad_magic'
  | 'unsupported_version'
  | 'schema_mismatch'
  | 'bad_checksum'
  | 'malformed_json'
  | 'unknown_field'
  | 'duplicate_field'
  | 'missing_field'
  | 'unknown_instruction'

/** Fault for display. */
export interface CodecFault {
  readonly code: CodecFaultCode
  readonly message: string
  /** Byte offset into the input, for binary input. */
  readonly at?: number
  /** Position in the value: `instructions[2].Transfer.amount`; declared names for binary input, JSON names for JSON. */
  readonly path?: string
  /** Line and column in a JSON text, both from 1; the column counts UTF-16 units. */
  readonly line?: number
  readonly column?: number
  /** Further faults of the same JSON value, in order; at most FAULTS_MAX including this one. */
  readonly also?: readonly CodecFault[]
}

/**
 * Maximum faults of one JSON value that are collected: users fix a few at a time, and hostile input must be cheap to
 * reject.
 */
const FAULTS_MAX = 16

/** Result of a decode: the value, or the fault. */
export type Decoded<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly fault: CodecFault }

/** Step of a path: a field or variant name, or an index. */
export type Segment = string | number

/**
 * Fault thrown inside the codec. It is not an Error: collecting a stack costs ten times as much as a rejection, and
 * hostile input must be cheap to reject. The public functions catch it.
 */
export class RawFault {
  trail: Segment[] | undefined = undefined
  /** Other faults of the enclosing value. */
  also: RawFault[] | undefined = undefined
  constructor(
    readonly code: CodecFaultCode,
    readonly message: string,
    readonly at: number | undefined,
  ) {}
}

/** Throw a fault. */
export function fail(code: CodecFaultCode, message: string, at?: number): never {
  throw new RawFault(code, message, at)
}

/** Prepend one path step to a fault on its way out; other values pass unchanged. */
export function located(error: unknown, segment: Segment): unknown {
  if (error instanceof RawFault) {
    for (const fault of [error, ...(error.also ?? [])]) {
      if (fault.trail === undefined) fault.trail = [segment]
      else fault.trail.unshift(segment)
    }
  }
  return error
}

/**
 * Append a fault to earlier ones, for JSON readers that continue; throws them at the maximum count, and rethrows
 * anything else at once.
 */
export function gathered(found: RawFault | undefined, error: unknown): RawFault {
  if (!(error instanceof RawFault)) throw error
  const { also = [] } = error
  error.also = undefined
  const all = [...(found === undefined ? [] : [found, ...(found.also ?? [])]), error, ...also].slice(0, FAULTS_MAX)
  const first = all[0]!
  first.also = all.length > 1 ? all.slice(1) : undefined
  if (all.length === FAULTS_MAX) throw first
  return first
}

/** Text of path steps, such as `a.b[3].c`. */
export function formatPath(trail: readonly Segment[]): string {
  let text = ''
  for (const segment of trail) {
    if (typeof segment === 'number') text += `[${segment}]`
    else text += text === '' ? segment : `.${segment}`
  }
  return text
}

/** Public form of a thrown fault; rethrows anything else, because that is a bug. */
export function faultOf(error: unknown): CodecFault {
  if (!(error instanceof RawFault)) throw error
  const fault: { -readonly [K in keyof CodecFault]: CodecFault[K] } = { code: error.code, message: error.message }
  if (error.at !== undefined) fault.at = error.at
  if (error.trail !== undefined) fault.path = formatPath(error.trail)
  if (error.also !== undefined) fault.also = error.also.map(faultOf)
  return fault
}
