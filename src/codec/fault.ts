/** Owns the faults of the codec: their codes, the value that callers see, and the plain object that is thrown inside. */

/** Why bytes or JSON are not a value of the schema; the same strings as in the error catalogue. */
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

/** A refusal, ready to be shown. */
export interface CodecFault {
  readonly code: CodecFaultCode
  readonly message: string
  /** Byte offset into the input, for binary input. */
  readonly at?: number
  /** Where in the value: `instructions[2].Transfer.amount`; declared names for binary input, JSON names for JSON. */
  readonly path?: string
  /** Place in a JSON text, both from 1; the column counts UTF-16 units. */
  readonly line?: number
  readonly column?: number
}

/** Outcome of a decode: the value, or why there is none. */
export type Decoded<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly fault: CodecFault }

/** One step of a path: a field or variant name, or an index. */
export type Segment = string | number

/**
 * What is thrown inside the codec. It is no Error: collecting a stack costs ten times a refusal,
 * and hostile input must be cheap to refuse. The public functions catch it.
 */
export class RawFault {
  trail: Segment[] | undefined = undefined
  constructor(
    readonly code: CodecFaultCode,
    readonly message: string,
    readonly at: number | undefined,
  ) {}
}

/** Throws a refusal. */
export function fail(code: CodecFaultCode, message: string, at?: number): never {
  throw new RawFault(code, message, at)
}

/** Puts one path step in front of a refusal on its way out; anything else passes unchanged. */
export function located(error: unknown, segment: Segment): unknown {
  if (error instanceof RawFault) {
    if (error.trail === undefined) error.trail = [segment]
    else error.trail.unshift(segment)
  }
  return error
}

/** `a.b[3].c` of path steps. */
export function formatPath(trail: readonly Segment[]): string {
  let text = ''
  for (const segment of trail) {
    if (typeof segment === 'number') text += `[${segment}]`
    else text += text === '' ? segment : `.${segment}`
  }
  return text
}

/** The public form of a thrown refusal; rethrows what is none, because that is a bug. */
export function faultOf(error: unknown): CodecFault {
  if (!(error instanceof RawFault)) throw error
  const fault: { -readonly [K in keyof CodecFault]: CodecFault[K] } = { code: error.code, message: error.message }
  if (error.at !== undefined) fault.at = error.at
  if (error.trail !== undefined) fault.path = formatPath(error.trail)
  return fault
}
