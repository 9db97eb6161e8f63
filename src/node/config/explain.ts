/** Owns the explanation of the source of a value: file, environment or default. */
import { readFile } from 'node:fs/promises'
import { parse } from 'smol-toml'
import { isRecord } from '../../base/guards.js'
import { readEnv } from '../../config/index.js'
import { shownValue } from '../../config/shown.js'
import { NODE_KEYS } from './keys.js'
import { envNameOf } from './load.js'

/** Configuration key with its value and its source. */
export interface ExplainedKey {
  readonly key: string
  readonly value: unknown
  readonly source: string
  readonly default: unknown
  readonly variable: string
  readonly doc: string
}

/**
 * Value and source of a key in a configuration, with the credentials in addresses removed; undefined for an unknown
 * key. A missing file has no values.
 */
export async function explainNodeKey(
  key: string,
  file: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<ExplainedKey | undefined> {
  const def = NODE_KEYS.find((one) => one.path.join('.') === key)
  if (def === undefined) return undefined
  const variable = envNameOf(def.path)
  const base = { key, default: def.fallback, variable, doc: def.doc.join(' ') }
  const text = env[variable]
  if (text !== undefined) {
    const read = readEnv(def.kind, text)
    return { ...base, value: shownValue('fault' in read ? text : read.value), source: `environment (${variable})` }
  }
  const toml = await readFile(file, 'utf8').catch(() => '')
  let at: unknown = parse(toml)
  for (const part of def.path) at = isRecord(at) ? at[part] : undefined
  return at === undefined
    ? { ...base, value: def.fallback, source: 'default' }
    : { ...base, value: shownValue(at), source: file }
}
