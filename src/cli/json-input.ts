/** Owns the reading of JSON inputs: strict, with the place of a fault. */
import { type Json, json } from '../codec/index.js'
import { LedgerError } from '../model/errors.js'
import { INPUT_MAX_BYTES, inputName, readInput } from './input.js'

/** Nesting of what people write. */
const MAX_DEPTH = 64

/** The JSON of a file or of standard input; throws the codec's code with line and column. */
export async function readJsonInput(path: string): Promise<Json> {
  const bytes = await readInput(path)
  const parsed = json(INPUT_MAX_BYTES, MAX_DEPTH).parseJson(bytes)
  if (parsed.ok) return parsed.value
  const { code, message, line, column } = parsed.fault
  const place = line === undefined ? '' : `:${line}:${column}`
  throw new LedgerError(code, `${inputName(path)}${place}: ${message}`, {
    details: { line: line ?? null, column: column ?? null },
  })
}

/** The instructions of an input: a list, one instruction, or an object with `instructions`. */
export function instructionTwins(value: Json, name: string): readonly Json[] {
  if (Array.isArray(value)) return value
  if (typeof value === 'object' && value !== null) {
    const { instructions } = value as { readonly instructions?: Json }
    if (Array.isArray(instructions)) return instructions
    if (instructions === undefined && Object.keys(value).length === 1) return [value]
  }
  throw new LedgerError('bad_value', `${name}: expected an instruction such as {"Transfer": {...}}, or a list of them`)
}
