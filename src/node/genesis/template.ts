/**
 * Owns the placeholders of manifest templates: `{{chain}}`, `{{genesis_key}}`, `{{topology}}`, `{{account:NAME}}`; for
 * peers of a local network also `{{peer_key:NAME}}`, `{{peer_pop:NAME}}`, `{{peer_network:NAME}}`.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Json } from '../../codec/index.js'
import { isJsonList, isJsonObject, type JsonObject } from '../../codec/schema.js'
import { FILE_NAME_FORM, isFileName } from '../../files/file-names.js'
import { LedgerError } from '../../model/index.js'
import { parseJsonFile } from './json-file.js'
import type { PeerEntry } from './topology-text.js'

/** Values of placeholders. */
export interface TemplateValues {
  readonly chain?: string
  /** Multihash text. */
  readonly genesisKey?: string
  /** Path of the topology file, relative to the manifest. */
  readonly topology?: string
  readonly createdAtMs?: number
  /** Address per account name. */
  readonly accounts?: Readonly<Record<string, string>>
  /** Key texts by peer name. */
  readonly peers?: Readonly<Record<string, PeerTexts>>
}

/** Texts of a peer for manifests. */
export interface PeerTexts {
  readonly key: string
  readonly pop: string
  readonly network: string
}

/** Texts of the peers of a topology for templates, by peer name. */
export const peerTexts = (entries: readonly PeerEntry[]): Record<string, PeerTexts> =>
  Object.fromEntries(entries.map(({ name, key, pop, network_key: network }) => [name, { key, pop, network }] as const))

const PLACEHOLDER = /\{\{([a-z_]+)(?::([^{}]+))?\}\}/g

/**
 * Names of the accounts of a template, in order of appearance. Their keys become files with these names: throws
 * `genesis_invalid` for an invalid one.
 */
export function accountsOf(text: string): string[] {
  const names = [...text.matchAll(PLACEHOLDER)].filter(([, kind]) => kind === 'account').map(([, , name]) => name ?? '')
  const wrong = names.find((name) => !isFileName(name))
  if (wrong !== undefined) {
    throw new LedgerError('genesis_invalid', `{{account:${wrong}}}: an account name must have ${FILE_NAME_FORM}`, {
      hint: 'The key file of the account has this name: rename the account in the template.',
      details: { account: wrong },
    })
  }
  return [...new Set(names)]
}

function replaced(text: string, values: TemplateValues): string {
  return text.replace(PLACEHOLDER, (whole, kind: string, name?: string) => {
    if (kind === 'account') return values.accounts?.[name ?? ''] ?? whole
    const peer = values.peers?.[name ?? '']
    if (kind === 'peer_key') return peer?.key ?? whole
    if (kind === 'peer_pop') return peer?.pop ?? whole
    if (kind === 'peer_network') return peer?.network ?? whole
    if (kind === 'chain') return values.chain ?? whole
    if (kind === 'genesis_key') return values.genesisKey ?? whole
    if (kind === 'topology') return values.topology ?? whole
    return whole
  })
}

function filled(value: Json, values: TemplateValues): Json {
  if (typeof value === 'string') return replaced(value, values)
  if (isJsonList(value)) return value.map((item) => filled(item, values))
  return isJsonObject(value) ? filledFields(value, values) : value
}

const filledFields = (fields: JsonObject, values: TemplateValues): Record<string, Json> =>
  Object.fromEntries(Object.entries(fields).map(([key, item]) => [key, filled(item, values)]))

/** Fill a template; placeholders without a value stay, and signing reports them. */
export function fillTemplate(text: string, file: string, values: TemplateValues): string {
  const { value } = parseJsonFile(text, file, 'genesis_invalid')
  if (!isJsonObject(value)) {
    throw new LedgerError('genesis_invalid', `${file}: a manifest must be a JSON object`, { details: { file } })
  }
  const manifest = filledFields(value, values)
  if (values.createdAtMs !== undefined) manifest.created_at_ms ??= values.createdAtMs
  return `${JSON.stringify(manifest, null, 2)}\n`
}

const NAME = /^[a-z0-9-]+$/

/** Path of a template; a name selects a built-in one. Throws `file_missing` with the built-in names. */
export function templatePath(root: string, nameOrPath: string): string {
  if (!NAME.test(nameOrPath)) return nameOrPath
  const folder = join(root, 'genesis')
  const names = readdirSync(folder)
    .filter((one) => one.endsWith('.json'))
    .map((one) => one.slice(0, -'.json'.length))
    .toSorted()
  if (names.includes(nameOrPath)) return join(folder, `${nameOrPath}.json`)
  throw new LedgerError('file_missing', `unknown template ${nameOrPath}; templates: ${names.join(', ')}`, {
    hint: `Use one of them, or give a file by its path: ./${nameOrPath}`,
    details: { template: nameOrPath, templates: names },
  })
}
