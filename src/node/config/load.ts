/** Owns the reading of a node configuration: TOML file, environment overrides, and all faults together. */
import { dirname, resolve } from 'node:path'
import { isRecord } from '../../base/guards.js'
import {
  type ApiToken,
  type ConfigValues,
  type FileFault,
  faultsError,
  isLoopback,
  type KeyDef,
  parseHostPort,
  parseToml,
  readConfigText,
  readEnv,
  readValue,
} from '../../config/index.js'
import { payloadLimitsOf } from '../../consensus/index.js'
import type { ConsensusMode } from '../../model/parameters.js'
import { nearest } from '../../model/suggest.js'
import type { NodeConfig } from './config.js'
import { FEATURE_CONFIGS, FEATURE_KEY_FILES } from './features.js'
import { type LogLevel, NODE_KEYS, type SyncMode, type TelemetryProfile } from './keys.js'
import { signerFaults, signerSections } from './signer.js'

/** Maximum size of a configuration file; a real one has a few kilobytes. */
const FILE_MAX_BYTES = 1024 * 1024
/** Maximum nesting of tables; sections of features have two levels. */
const DEPTH_MAX = 8
/** Prefix of the environment variables that override keys: CAUSEWAY_NODE__SECTION__KEY. */
export const ENV_PREFIX = 'CAUSEWAY_NODE__'

type Values = Map<string, unknown>
const dotted = (path: readonly string[]): string => path.join('.')
/** Name of the environment variable of a key. */
export const envNameOf = (path: readonly string[]): string =>
  ENV_PREFIX + path.map((part) => part.toUpperCase()).join('__')

const KNOWN = new Map(NODE_KEYS.map((def) => [dotted(def.path), def]))
const SECTIONS = new Set(
  NODE_KEYS.flatMap((def) => def.path.slice(0, -1).map((_, at) => dotted(def.path.slice(0, at + 1)))),
)

/** Line of each key of a TOML text, for messages only: keys of an inline table have the line of the table. */
function linesOf(text: string): Map<string, number> {
  const lines = new Map<string, number>()
  let section = ''
  for (const [index, line] of text.split('\n').entries()) {
    const header = /^\s*\[+\s*([^\]]+?)\s*\]+/.exec(line)
    const key = /^\s*([A-Za-z0-9_.-]+)\s*=/.exec(line)
    if (header !== null) section = header[1]!.replace(/\s*\.\s*/g, '.')
    const path = header !== null ? section : key === null ? '' : section === '' ? key[1]! : `${section}.${key[1]}`
    if (path !== '' && !lines.has(path)) lines.set(path, index + 1)
  }
  return lines
}

function unknownKey(path: string): string {
  const guess = nearest(path, [...KNOWN.keys(), ...SECTIONS])
  return guess === undefined ? 'unknown key' : `unknown key; did you mean ${guess}?`
}

/** Walk a parsed table: collect values of known keys, and faults for all others. */
function collect(
  table: Readonly<Record<string, unknown>>,
  prefix: readonly string[],
  values: Values,
  faults: FileFault[],
): void {
  for (const [key, value] of Object.entries(table)) {
    const path = dotted([...prefix, key])
    const def = KNOWN.get(path)
    if (def !== undefined) {
      const read = readValue(def.kind, value)
      if ('fault' in read) faults.push({ path, message: read.fault })
      else values.set(path, read.value)
    } else if (SECTIONS.has(path) && isRecord(value)) {
      collect(value, [...prefix, key], values, faults)
    } else faults.push({ path, message: SECTIONS.has(path) ? 'this is a section, not a value' : unknownKey(path) })
  }
}

function override(env: Readonly<Record<string, string | undefined>>, values: Values, faults: FileFault[]): void {
  const byName = new Map(NODE_KEYS.map((def) => [envNameOf(def.path), def]))
  for (const [name, text] of Object.entries(env)) {
    if (!name.startsWith(ENV_PREFIX) || text === undefined) continue
    const def = byName.get(name)
    if (def === undefined) {
      const guess = nearest(name, [...byName.keys()])
      faults.push({
        path: name,
        message: `does not match a key${guess === undefined ? '' : `; did you mean ${guess}?`}`,
      })
      continue
    }
    const read = readEnv(def.kind, text)
    if ('fault' in read) faults.push({ path: name, message: read.fault })
    else values.set(dotted(def.path), read.value)
  }
}

/** Faults that involve several keys. */
function crossChecks(values: Values): FileFault[] {
  const faults: FileFault[] = []
  const listen = parseHostPort(String(values.get('gateway.listen')))
  const cert = values.get('gateway.tls_cert')
  const key = values.get('gateway.tls_key')
  if ((cert === undefined) !== (key === undefined)) {
    const path = cert === undefined ? 'gateway.tls_cert' : 'gateway.tls_key'
    faults.push({ path, message: 'tls_cert and tls_key belong together: set both or none' })
  }
  const open = listen !== undefined && !isLoopback(listen.host) && cert === undefined
  if (open && values.get('gateway.insecure') !== true) {
    const message = 'this address is public and has no TLS; set tls_cert and tls_key, or insecure = true'
    faults.push({ path: 'gateway.listen', message })
  }
  if (values.get('gateway.listen') === values.get('network.listen')) {
    faults.push({ path: 'network.listen', message: 'gateway and peers cannot share one address' })
  }
  const names = ((values.get('gateway.api_tokens') ?? []) as ApiToken[]).map((token) => token.name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) faults.push({ path: 'gateway.api_tokens', message: `two tokens have the name "${twice}"` })
  if (values.get('gateway.require_api_token') === true && names.length === 0) {
    faults.push({ path: 'gateway.require_api_token', message: 'gateway.api_tokens is empty' })
  }
  if (Number(values.get('rbc.store_soft_bytes')) > Number(values.get('rbc.store_hard_bytes'))) {
    faults.push({ path: 'rbc.store_soft_bytes', message: 'must not exceed store_hard_bytes' })
  }
  faults.push(...signerFaults(values))
  return faults
}

/** Reader of values for the sections; paths are resolved against a folder. */
const readerOf = (values: ReadonlyMap<string, unknown>, folder: string): ConfigValues => ({
  get: <T>(key: string): T => values.get(key) as T,
  path: (key) => (values.has(key) ? resolve(folder, String(values.get(key))) : undefined),
  has: (key) => values.has(key),
})

function build(file: string, values: Values): NodeConfig {
  const reader = readerOf(values, dirname(file))
  const { get, path: optionalPath } = reader
  const path = (name: string): string => resolve(dirname(file), get<string>(name))
  const address = (name: string) => parseHostPort(get<string>(name))!
  const certFile = optionalPath('gateway.tls_cert')
  const keyFile = optionalPath('gateway.tls_key')
  return {
    file,
    values,
    dataDir: path('data_dir'),
    sync: get<SyncMode>('sync'),
    genesis: { file: path('genesis.file'), hash: get('genesis.hash') },
    keys: {
      validator: path('keys.validator'),
      nextValidator: optionalPath('keys.next_validator'),
      network: path('keys.network'),
      features: FEATURE_KEY_FILES.flatMap(({ name, algorithm }) => {
        const file = optionalPath(`keys.${name}`)
        return file === undefined ? [] : [{ name, algorithm, path: file }]
      }),
    },
    ...signerSections(reader),
    consensus: {
      consensusMode: values.has('consensus.consensus_mode')
        ? get<ConsensusMode>('consensus.consensus_mode')
        : undefined,
      epochLengthBlocks: values.has('consensus.epoch_length_blocks')
        ? get<number>('consensus.epoch_length_blocks')
        : undefined,
      nposTimeouts: values.has('consensus.npos_timeouts') ? get<string>('consensus.npos_timeouts') : undefined,
    },
    lanes: { enabled: values.has('lanes.enabled') ? get<boolean>('lanes.enabled') : undefined },
    network: { listen: address('network.listen') },
    gateway: {
      listen: address('gateway.listen'),
      insecure: get('gateway.insecure'),
      tls: certFile === undefined || keyFile === undefined ? undefined : { certFile, keyFile },
      apiTokens: get('gateway.api_tokens'),
      requireApiToken: get('gateway.require_api_token'),
      operatorKeys: get('gateway.operator_keys'),
      hosts: get('gateway.hosts'),
      rateBytesPerSecond: get('gateway.rate_bytes_per_second'),
      ratePerSecond: get('gateway.rate_per_second'),
      rateBurst: get('gateway.rate_burst'),
      connectionsPerAddress: get('gateway.connections_per_address'),
      corsOrigins: get('gateway.cors_origins'),
      trustedProxies: get('gateway.trusted_proxies'),
    },
    queue: {
      capacity: get('queue.capacity'),
      capacityPerUser: get('queue.capacity_per_user'),
      durable: get('queue.durable'),
    },
    payloads: payloadLimitsOf(({ key }) => get(`rbc.${key}`)),
    outbound: {
      allowHttp: get('outbound.allow_http'),
      allow: get('outbound.allow'),
      deny: get('outbound.deny'),
    },
    telemetry: { profile: get<TelemetryProfile>('telemetry.profile') },
    log: { level: get<LogLevel>('log.level'), file: optionalPath('log.file') },
    state: { cacheMib: get('state.cache_mib'), treeBits: get('state.tree_bits') },
    storage: { retainBlocks: get('storage.retain_blocks') },
    snapshots: {
      everyBlocks: get('snapshots.every_blocks'),
      keep: get('snapshots.keep'),
      trustBlock: values.has('snapshots.trust_block')
        ? Buffer.from(get<string>('snapshots.trust_block'), 'hex')
        : undefined,
    },
    crypto: { threads: get('crypto.threads') },
    featuresOff: get('features.off'),
    features: Object.fromEntries(FEATURE_CONFIGS.map(([name, section]) => [name, section.build(reader)])),
  }
}

/** Absolute paths in a configuration file by key: every file of a node. Throws like `loadNodeConfig`. */
export async function pathsIn(configFile: string): Promise<{ readonly key: string; readonly path: string }[]> {
  // Without the environment, which belongs to the current user.
  const { file, values } = await loadNodeConfig(configFile, {})
  const { path: pathOf } = readerOf(values, dirname(file))
  return NODE_KEYS.flatMap((def) => {
    const key = dotted(def.path)
    const path = def.kind.type === 'path' ? pathOf(key) : undefined
    return path === undefined ? [] : [{ key, path }]
  })
}

/**
 * Parse the text of a configuration. Paths are resolved against the folder of `file`. Throws LedgerError
 * `config_invalid` with every fault in `details.faults`.
 */
export function parseNodeConfig(
  text: string,
  file: string,
  env: Readonly<Record<string, string | undefined>> = {},
): NodeConfig {
  const absolute = resolve(file)
  const table = parseToml(text, file, DEPTH_MAX)
  const values: Values = new Map()
  const faults: FileFault[] = []
  collect(table, [], values, faults)
  override(env, values, faults)
  const refused = new Set(faults.map((one) => one.path))
  for (const def of NODE_KEYS) {
    const path = dotted(def.path)
    if (values.has(path) || refused.has(path)) continue
    if (def.required === true) faults.push({ path, message: missing(def) })
    else if (def.fallback !== undefined) values.set(path, def.fallback)
  }
  faults.push(...crossChecks(values))
  const reader = readerOf(values, dirname(absolute))
  for (const [, { check }] of FEATURE_CONFIGS) faults.push(...(check?.(reader) ?? []))
  if (faults.length === 0) return build(absolute, values)
  const lines = linesOf(text)
  const located = faults.map((one): FileFault => {
    const line = lines.get(one.path)
    return line === undefined ? one : { ...one, line }
  })
  throw faultsError('config_invalid', file, located, 'Every key is described in templates/config/node.toml.')
}

const missing = (def: KeyDef): string => `is required: ${def.doc[0]}`

/** Read a configuration file; throws `file_missing`, `file_unreadable` or `config_invalid`. */
export async function loadNodeConfig(
  file: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<NodeConfig> {
  return parseNodeConfig(await readConfigText(file, FILE_MAX_BYTES), file, env)
}
