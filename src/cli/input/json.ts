/** Owns the parsing of JSON inputs: strict, with the position of a fault. */
import { type Json, json } from '../../codec/index.js'
import { LedgerError } from '../../model/errors.js'
import { INPUT_MAX_BYTES, inputName, readInput } from './input.js'

/** Maximum nesting of an input. */
const MAX_DEPTH = 64

/** JSON of a file or of standard input; throws a codec error with line and column. */
export const readJsonInput = async (path: string): Promise<Json> =>
  parseJsonText(await readInput(path), inputName(path))

/** Parse JSON input; `name` is its source for errors. Throws the codec's code with line and column. */
export function parseJsonText(text: string | Uint8Array, name: string, maxBytes: number = INPUT_MAX_BYTES): Json {
  const parsed = json(maxBytes, MAX_DEPTH).parseJson(text)
  if (parsed.ok) return parsed.value
  const { code, message, line, column } = parsed.fault
  const place = line === undefined ? '' : `:${line}:${column}`
  throw new LedgerError(code, `${name}${place}: ${message}`, {
    details: { line: line ?? null, column: column ?? null },
  })
}

/**
 * Fields allowed beside `instructions`: agreements of a settlement, and the statement of a conference proof, for the
 * commands that use them.
 */
const BESIDE_INSTRUCTIONS = ['instructions', 'agreements', 'statement', 'proof']

/**
 * Instructions of an input: a list, one instruction, or an object with `instructions`, such as a draft of a gateway.
 * Other fields, such as a chain or a cost limit, would be ignored and are refused.
 */
export function instructionsJson(value: Json, name: string): readonly Json[] {
  if (Array.isArray(value)) return value
  if (typeof value === 'object' && value !== null) {
    const { instructions } = value as { readonly instructions?: Json }
    if (Array.isArray(instructions)) {
      // A draft (docs/reference/drafts.md): its other fields describe its instructions.
      const isDraft = 'tx_instructions' in value
      const more = isDraft ? undefined : Object.keys(value).find((field) => !BESIDE_INSTRUCTIONS.includes(field))
      if (more === undefined) return instructions
      throw new LedgerError('bad_value', `${name}: unexpected ${JSON.stringify(more)} beside "instructions"`, {
        hint: 'Give the other fields of a transaction to `causeway tx build` by flags.',
      })
    }
    if (instructions === undefined && Object.keys(value).length === 1) return [value]
  }
  throw new LedgerError('bad_value', `${name}: expected an instruction such as {"Transfer": {...}}, or a list of them`)
}
