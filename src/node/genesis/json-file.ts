/** Owns the reading of JSON files that people write: strict, with the line of any place in it. */
import { type Json, json } from '../../codec/index.js'
import { lineAndColumn, placeInJson } from '../../codec/json-scan.js'
import { isJsonObject } from '../../codec/schema.js'
import { readBounded } from '../../files/bounded-file.js'
import { type FileFault, faultsError } from '../config/index.js'

/** Largest file, in bytes: a manifest with a million instructions is some hundred megabytes, one that a person reads far less. */
const FILE_MAX_BYTES = 64 * 1024 * 1024
/** Nesting of what is written by hand. */
const FILE_MAX_DEPTH = 64
const anyJson = json(FILE_MAX_BYTES, FILE_MAX_DEPTH)

/** Names of the codes that such files fail with. */
export type FileErrorCode = 'topology_invalid' | 'genesis_invalid'

/** A parsed file and its text, so that faults can be placed. */
export interface JsonFile {
  readonly file: string
  readonly value: Json
  /** Line of a place such as `peers[2].pop`, or of what of it exists. */
  lineOf(path: string): number
}

const segments = (path: string): (string | number)[] =>
  [...path.matchAll(/\[(\d+)\]|([^.[\]]+)/g)].map(([, index, key]) => (index === undefined ? key! : Number(index)))

/** Parse a text; throws the given code, with line and column, for invalid JSON. */
export function parseJsonFile(text: string, file: string, code: FileErrorCode): JsonFile {
  const parsed = anyJson.parseJson(text)
  if (!parsed.ok) {
    const { path = '', line, message } = parsed.fault
    throw faultsError(code, file, [line === undefined ? { path, message } : { path, line, message }])
  }
  return {
    file,
    value: parsed.value,
    lineOf: (path) => lineAndColumn(text, placeInJson(text, segments(path)).value).line,
  }
}

/** Reads a whole file; throws `file_missing`, `file_unreadable` or `payload_too_large`. */
export const readBytes = (file: string): Promise<Buffer> => readBounded(file, FILE_MAX_BYTES)

/** Reads and parses a file. */
export const readJsonFile = async (file: string, code: FileErrorCode): Promise<JsonFile> =>
  parseJsonFile((await readBytes(file)).toString('utf8'), file, code)

/** Collects faults with their lines. */
export class Faults {
  readonly list: FileFault[] = []
  constructor(private readonly source: JsonFile) {}

  add(path: string, message: string): void {
    this.list.push({ path, line: this.source.lineOf(path), message })
  }

  /** Throws when there is any fault. */
  throwIfAny(code: FileErrorCode, hint?: string): void {
    if (this.list.length > 0) throw faultsError(code, this.source.file, this.list, hint)
  }
}

/** Fields of an object; a fault for anything else, and for every unknown field. */
export function fieldsOf(
  value: Json | undefined,
  path: string,
  known: readonly string[],
  faults: Faults,
): Readonly<Record<string, Json>> | undefined {
  if (!isJsonObject(value)) {
    faults.add(path, 'expected an object')
    return undefined
  }
  for (const key of Object.keys(value)) {
    if (!known.includes(key)) {
      faults.add(path === '' ? key : `${path}.${key}`, `unknown field; known fields are ${known.join(', ')}`)
    }
  }
  return value
}
