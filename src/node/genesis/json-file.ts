/** Owns the reading of handwritten JSON files: strict, with the line of each value. */
import { type Json, json } from '../../codec/index.js'
import { lineAndColumn, placeInJson } from '../../codec/json-scan.js'
import { isJsonObject } from '../../codec/schema.js'
import { readBounded } from '../../files/bounded-file.js'
import { type FileFault, faultsError } from '../config/index.js'

/**
 * Maximum file size, in bytes. A manifest with a million instructions has several hundred megabytes, a handwritten one
 * far less.
 */
const FILE_MAX_BYTES = 64 * 1024 * 1024
/** Maximum nesting of handwritten JSON. */
const FILE_MAX_DEPTH = 64
const anyJson = json(FILE_MAX_BYTES, FILE_MAX_DEPTH)

/** Names of the error codes for such files. */
export type FileErrorCode = 'topology_invalid' | 'genesis_invalid'

/** Parsed file with its text, which is used to locate faults. */
export interface JsonFile {
  readonly file: string
  readonly value: Json
  /** Line of a path such as `peers[2].pop`, or of its longest existing prefix. */
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

/** Read a whole file; throws `file_missing`, `file_unreadable` or `payload_too_large`. */
export const readBytes = (file: string): Promise<Buffer> => readBounded(file, FILE_MAX_BYTES)

/** Read and parse a file. */
export const readJsonFile = async (file: string, code: FileErrorCode): Promise<JsonFile> =>
  parseJsonFile((await readBytes(file)).toString('utf8'), file, code)

/** Collector of faults with their lines. */
export class Faults {
  readonly list: FileFault[] = []
  constructor(private readonly source: JsonFile) {}

  add(path: string, message: string): void {
    this.list.push({ path, line: this.source.lineOf(path), message })
  }

  /** Throw if there are faults. */
  throwIfAny(code: FileErrorCode, hint?: string): void {
    if (this.list.length > 0) throw faultsError(code, this.source.file, this.list, hint)
  }
}

/** Fields of an object; adds a fault for any other value and for each unknown field. */
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
