/** Owns the configuration of a signer: a small TOML file, read once. */
import { dirname, resolve } from 'node:path'
import {
  type FileFault,
  faultsError,
  type HostPort,
  integer,
  type Kind,
  parseHostPort,
  parseToml,
  readConfigText,
  readValue,
} from '../config/index.js'
import { parsePublicKey } from '../crypto/index.js'
import { keyString, type NetworkKey } from '../model/index.js'
import { LEASE_DEFAULT_MS, LEASE_MAX_MS, LEASE_MIN_MS } from './limits.js'

/** Maximum size of a configuration file, in bytes; a real one has a few lines. */
const FILE_MAX_BYTES = 64 * 1024
/** Maximum nesting of tables. */
const DEPTH_MAX = 4

/** Validated configuration of one signer; all paths are absolute. */
export interface SignerConfig {
  readonly file: string
  readonly dataDir: string
  readonly chainHash: Buffer
  readonly validatorKeyFile: string
  readonly nextValidatorKeyFile: string | undefined
  /** Path of a Unix socket, or an address with the key file of this signer and the keys of the nodes that it serves. */
  readonly listen:
    | { readonly kind: 'socket'; readonly path: string }
    | {
        readonly kind: 'tls'
        readonly address: HostPort
        readonly keyFile: string
        readonly nodes: readonly NetworkKey[]
      }
  readonly leaseMs: number
}

/** Every configuration key with its kind. */
const KEYS: Readonly<Record<string, { readonly kind: Kind; readonly required?: true }>> = {
  chain_hash: { kind: { type: 'hash' }, required: true },
  data_dir: { kind: { type: 'path' }, required: true },
  validator: { kind: { type: 'path' }, required: true },
  next_validator: { kind: { type: 'path' } },
  socket: { kind: { type: 'path' } },
  listen: { kind: { type: 'host-port' } },
  identity: { kind: { type: 'path' } },
  nodes: { kind: { type: 'public-keys' } },
  lease_ms: { kind: integer(LEASE_MIN_MS, LEASE_MAX_MS) },
}

/** Faults that involve several keys. */
function crossFaults(values: ReadonlyMap<string, unknown>): FileFault[] {
  const isSocket = values.has('socket')
  if (isSocket === values.has('listen')) {
    return [{ path: 'socket', message: 'set either `socket` or `listen` of the signer' }]
  }
  if (isSocket) {
    return ['identity', 'nodes']
      .filter((path) => values.has(path))
      .map((path) => ({ path, message: 'requires `listen`; a socket is protected by its mode' }))
  }
  return ['identity', 'nodes']
    .filter((path) => !values.has(path) || String(values.get(path)) === '')
    .map((path) => ({ path, message: 'is required with `listen`: both sides prove their keys' }))
}

/** Parse the text of a configuration. Throws `config_invalid` with every fault. */
export function parseSignerConfig(text: string, file: string): SignerConfig {
  const table = parseToml(text, file, DEPTH_MAX)
  const values = new Map<string, unknown>()
  const faults: FileFault[] = []
  for (const [path, value] of Object.entries(table)) {
    const def = KEYS[path]
    const read =
      def === undefined
        ? { fault: `unknown key; known keys are ${Object.keys(KEYS).join(', ')}` }
        : readValue(def.kind, value)
    if ('fault' in read) faults.push({ path, message: read.fault })
    else values.set(path, read.value)
  }
  for (const [path, { required }] of Object.entries(KEYS)) {
    if (required === true && !values.has(path) && !(path in table)) faults.push({ path, message: 'is required' })
  }
  faults.push(...(faults.length > 0 ? [] : crossFaults(values)))
  const nodes = ((values.get('nodes') ?? []) as readonly string[]).map((one) => parsePublicKey(one))
  if (nodes.some((key) => key?.algorithm !== 'ed25519')) {
    faults.push({ path: 'nodes', message: 'expected the network keys of nodes, which must be Ed25519 keys' })
  }
  if (faults.length > 0) throw faultsError('config_invalid', file, faults)
  const absolute = resolve(file)
  const path = (key: string): string => resolve(dirname(absolute), String(values.get(key)))
  const address = parseHostPort(String(values.get('listen')))
  return {
    file: absolute,
    dataDir: path('data_dir'),
    chainHash: Buffer.from(String(values.get('chain_hash')), 'hex'),
    validatorKeyFile: path('validator'),
    nextValidatorKeyFile: values.has('next_validator') ? path('next_validator') : undefined,
    listen:
      address === undefined
        ? { kind: 'socket', path: path('socket') }
        : {
            kind: 'tls',
            address,
            keyFile: path('identity'),
            nodes: nodes.flatMap((key) => (key === undefined ? [] : [keyString(key.bytes)])),
          },
    leaseMs: Number(values.get('lease_ms') ?? LEASE_DEFAULT_MS),
  }
}

/** Read a configuration file. Throws `file_missing`, `file_unreadable` or `config_invalid`. */
export async function loadSignerConfig(file: string): Promise<SignerConfig> {
  return parseSignerConfig(await readConfigText(file, FILE_MAX_BYTES), file)
}
