/** Owns the writing of node configurations: the documented TOML for given values, and the JSON Schema of the file. */
import { stringify } from 'smol-toml'
import { definedFields } from '../../base/defined-fields.js'
import { type KeyDef, kindSchema } from '../../config/index.js'
import { NODE_KEYS, SECTION_DOCS } from './keys.js'
import { envNameOf } from './load.js'

/** Values by dotted key, such as `gateway.listen`. */
export type NodeValues = Readonly<Record<string, unknown>>

const HEAD = [
  '# Configuration of a Causeway node. Start it with: causeway node start --config FILE',
  '# Paths are relative to this file. Keys without a default are commented out with `#`, with an example.',
  `# The environment overrides each key, for example ${envNameOf(['gateway', 'listen'])}=127.0.0.1:9090.`,
]

function tomlValue(value: unknown): string {
  const text = stringify({ value }).trim()
  return text.slice(text.indexOf('=') + 1).trim()
}

function entry(def: KeyDef, values: NodeValues): string[] {
  const key = def.path.at(-1)!
  const given = values[def.path.join('.')]
  const value = given ?? def.fallback ?? (def.required === true ? def.example : undefined)
  const line = value === undefined ? `#${key} = ${tomlValue(def.example)}` : `${key} = ${tomlValue(value)}`
  return [...def.doc.map((text) => `# ${text}`), line]
}

/** TOML text of a configuration: every key with its documentation and its given or default value. */
export function renderNodeConfig(values: NodeValues = {}): string {
  const known = new Set(NODE_KEYS.map((def) => def.path.join('.')))
  const stray = Object.keys(values).find((path) => !known.has(path))
  if (stray !== undefined) throw new Error(`unknown configuration key ${stray}`)
  const lines = [...HEAD]
  let section = ''
  for (const def of NODE_KEYS) {
    const own = def.path.slice(0, -1).join('.')
    lines.push('')
    if (own !== section) {
      section = own
      lines.push(`# ${SECTION_DOCS[own]}`, `[${own}]`)
    }
    lines.push(...entry(def, values))
  }
  return `${lines.join('\n')}\n`
}

interface ObjectSchema {
  type: 'object'
  additionalProperties: false
  properties: Record<string, unknown>
  required?: string[]
}

const objectSchema = (): ObjectSchema => ({ type: 'object', additionalProperties: false, properties: {} })

/** JSON Schema (2020-12) of the file, for editors. */
export function nodeConfigJsonSchema(): Record<string, unknown> {
  const root = objectSchema()
  for (const def of NODE_KEYS) {
    let at = root
    for (const section of def.path.slice(0, -1)) {
      at.properties[section] ??= objectSchema()
      at = at.properties[section] as ObjectSchema
    }
    const key = def.path.at(-1)!
    at.properties[key] = definedFields({
      description: def.doc.join(' '),
      ...kindSchema(def.kind),
      default: def.fallback,
    })
    if (def.required === true) at.required = [...(at.required ?? []), key]
  }
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', title: 'Causeway node configuration', ...root }
}
