/**
 * Owns redaction of a configuration for reports: only the values of known keys remain, without tokens and without
 * credentials in addresses.
 */
import { parse, stringify, type TomlTable } from 'smol-toml'
import { LEFT_OUT, shownValue } from '../config/shown.js'
import { NODE_KEYS } from '../node/config/index.js'

const OPEN = new Set(NODE_KEYS.filter(({ kind }) => kind.type !== 'api-tokens').map(({ path }) => path.join('.')))
const SECTIONS = new Set(NODE_KEYS.flatMap(({ path }) => path.slice(1).map((_, at) => path.slice(0, at + 1).join('.'))))

type Value = TomlTable[string]

const isTable = (value: Value): value is TomlTable => Object.prototype.toString.call(value) === '[object Object]'

function knownValue(value: Value, path: string): Value {
  if (OPEN.has(path)) return shownValue(value)
  return SECTIONS.has(path) && isTable(value) ? shownTable(value, path) : LEFT_OUT
}

const shownTable = (table: TomlTable, path: string): TomlTable =>
  Object.fromEntries(
    Object.entries(table).map(([key, value]) => [key, knownValue(value, path === '' ? key : `${path}.${key}`)]),
  )

/**
 * Configuration rewritten from its values. Comments are dropped, because one may contain a token; an unknown key loses
 * its value, because it may be a token under a mistyped name; invalid TOML is dropped completely.
 */
export function withoutSecrets(toml: string): string {
  let table: TomlTable
  try {
    table = parse(toml)
  } catch {
    return `${LEFT_OUT}: the file is not TOML`
  }
  return stringify(shownTable(table, ''))
}
