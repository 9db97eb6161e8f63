/** Owns provisioning of a local network on disk: keys, proofs, topology, signed genesis, one folder per peer. */
import { cp, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { formatPublicKey, generateKeyPair, type KeyPair, signEd25519 } from '../../crypto/index.js'
import type { Abi } from '../../executor/index.js'
import { writeKeyFile } from '../../files/key-file.js'
import { draftOf, unwritable } from '../../files/write-file.js'
import {
  accountKeyOf,
  accountOfKey,
  type ConsensusMode,
  DEFAULT_ADDRESS_PREFIX,
  formatAddress,
  type GenesisPayload,
  type Instruction,
  LedgerError,
} from '../../model/index.js'
import { signGenesis } from '../chain/genesis.js'
import { renderNodeConfig } from '../config/index.js'
import { clearPlace } from '../process/publish-directory.js'
import { writeGenesisFile } from './file.js'
import { parseJsonFile, readBytes } from './json-file.js'
import { parseManifest } from './manifest.js'
import { choosePorts } from './ports.js'
import { accountsOf, fillTemplate, peerTexts } from './template.js'
import { newEntry, type PeerEntry, topologyText } from './topology-text.js'

/** Folder of the account keys, named to prevent production use. */
export const DEV_KEYS = 'dev-only-keys'
/** Name of the account whose key signs genesis. */
const ADMIN = 'admin'
/** Name of the account whose key signs for the bridge of each node. */
const BRIDGE = 'bridge'
/** Maximum requests per second from one address on a development gateway, high enough for benchmarks. */
const LOCAL_RATE = 100_000
/** Maximum bytes per second from one address on a development gateway. */
const LOCAL_BYTES_RATE = 512 * 1024 * 1024

/** Options of a local network. */
export interface ProvisionOptions {
  readonly abi: Abi
  /** Folder of the network; it must not exist or be empty. */
  readonly folder: string
  /** Manifest template. */
  readonly template: string
  readonly chain: string
  readonly validators: number
  /** Number of observers, numbered after the validators; default: none. */
  readonly observers?: number
  /** First of consecutive ports for gateways and for links. */
  readonly gatewayPort: number
  readonly p2pPort: number
  readonly logLevel: string
  readonly nowMs: number
  /** Consensus mode, which must match the template; default: permissioned. */
  readonly mode?: ConsensusMode
}

/** Created files; paths are relative to the folder. */
export interface Provisioned {
  readonly chain: string
  readonly genesisHash: string
  readonly manifest: string
  readonly peers: readonly {
    readonly name: string
    readonly gateway: string
    readonly p2p: string
    readonly folder: string
  }[]
  readonly accounts: readonly {
    readonly name: string
    readonly alias: string
    readonly address: string
    readonly keyFile: string
  }[]
}

/** Hint for a folder that is not empty. */
const OTHER_FOLDER = 'Give another folder with --dir.'

async function requireEmpty(folder: string): Promise<void> {
  const entries = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw unwritable(folder, error)
  })
  if (entries.length === 0) return
  throw new LedgerError('file_exists', `${folder}: the folder is not empty and contains no local network`, {
    hint: OTHER_FOLDER,
  })
}

interface LocalKeys {
  readonly validator: KeyPair
  readonly network: KeyPair
}

const peerName = (options: ProvisionOptions, index: number): string =>
  index < options.validators ? `val-${index}` : `obs-${index - options.validators}`

async function makePeers(options: ProvisionOptions): Promise<{ keys: LocalKeys[]; entries: PeerEntry[] }> {
  const keys: LocalKeys[] = []
  const entries: PeerEntry[] = []
  for (let index = 0; index < options.validators + (options.observers ?? 0); index++) {
    const one = { validator: await generateKeyPair('bls'), network: await generateKeyPair('ed25519') }
    keys.push(one)
    entries.push(
      await newEntry({
        name: peerName(options, index),
        validator: one.validator,
        network: one.network.publicKey,
        addresses: [`127.0.0.1:${options.p2pPort + index}`],
        role: index < options.validators ? 'validator' : 'observer',
      }),
    )
  }
  return { keys, entries }
}

/** Address prefix in a template. */
function prefixOf(template: string, file: string): string {
  const { value } = parseJsonFile(template, file, 'genesis_invalid')
  const prefix = (value as { readonly address_prefix?: unknown } | null)?.address_prefix
  return typeof prefix === 'string' ? prefix : DEFAULT_ADDRESS_PREFIX
}

const addressOf = (pair: KeyPair, prefix: string): string =>
  formatAddress(accountOfKey(accountKeyOf('ed25519', pair.publicKey.bytes)), prefix)

interface Registration {
  readonly id: string
  readonly domain: string
  readonly label: string | undefined
}

/** Alias per account id, from the instructions that register them. */
function aliasesOf(instructions: readonly Instruction[]): Map<string, string> {
  const found = new Map<string, string>()
  for (const { kind, value } of instructions) {
    if (kind !== 'registerAccount') continue
    const { id, domain, label } = value as Registration
    if (label !== undefined) found.set(id, `${label}@${domain}`)
  }
  return found
}

/** Maximum number of gateways that each node watches: all, except in a large network on one machine. */
const WATCHED_MAX = 16

const gatewaysOf = ({ validators, observers = 0, gatewayPort }: ProvisionOptions): string[] =>
  Array.from({ length: validators + observers }, (_, at) => `http://127.0.0.1:${gatewayPort + at}`)

function nodeValues(options: ProvisionOptions, index: number, hash: string, bridge: string | undefined) {
  return {
    'genesis.hash': hash,
    'consensus.consensus_mode': options.mode ?? 'permissioned',
    'network.listen': `127.0.0.1:${options.p2pPort + index}`,
    'gateway.listen': `127.0.0.1:${options.gatewayPort + index}`,
    'gateway.rate_per_second': LOCAL_RATE,
    'gateway.rate_burst': LOCAL_RATE,
    'gateway.rate_bytes_per_second': LOCAL_BYTES_RATE,
    'telemetry.profile': 'full',
    'telemetry.gateways': gatewaysOf(options).slice(0, WATCHED_MAX),
    // Webhooks to endpoints on this machine are allowed for development.
    'rpc.enabled': true,
    'rpc.profile': 'submit',
    'webhooks.owners': ['*'],
    'notify.enabled': true,
    'notify.subject': 'mailto:operator@localhost',
    'outbound.allow_http': true,
    'outbound.allow': ['127.0.0.0/8', '::1/128'],
    // All nodes share the cores of one machine.
    'crypto.threads': 1,
    'log.level': options.logLevel,
    'log.file': 'node.log',
    'keys.bridge': bridge === undefined ? undefined : 'keys/bridge.json',
    'iso.anonymous_submitter': bridge,
  }
}

async function writePeer(folder: string, keys: LocalKeys, config: string, genesis: Uint8Array): Promise<void> {
  await mkdir(join(folder, 'keys'), { recursive: true, mode: 0o700 })
  await writeKeyFile(join(folder, 'keys', 'validator.json'), keys.validator)
  await writeKeyFile(join(folder, 'keys', 'network.json'), keys.network)
  await writeGenesisFile(join(folder, 'genesis.signed'), genesis)
  await writeFile(join(folder, 'node.toml'), config)
}

/** Write all files of the network to `root`. */
async function build(options: ProvisionOptions, root: string): Promise<Provisioned> {
  const template = (await readBytes(options.template)).toString('utf8')
  const prefix = prefixOf(template, options.template)
  await mkdir(join(root, DEV_KEYS), { recursive: true, mode: 0o700 })
  const names = [...new Set([ADMIN, ...accountsOf(template)])]
  const accounts = new Map<string, KeyPair>()
  for (const name of names) {
    const pair = await generateKeyPair('ed25519')
    accounts.set(name, pair)
    await writeKeyFile(join(root, DEV_KEYS, `${name}.json`), pair)
  }
  const { keys, entries } = await makePeers(options)
  await writeFile(join(root, 'topology.json'), topologyText(entries))
  const admin = accounts.get(ADMIN)
  if (admin === undefined) throw new Error('the admin key was not created')
  const manifest = fillTemplate(template, options.template, {
    chain: options.chain,
    genesisKey: formatPublicKey(admin.publicKey),
    topology: 'topology.json',
    createdAtMs: options.nowMs,
    peers: peerTexts(entries),
    accounts: Object.fromEntries([...accounts].map(([name, pair]) => [name, addressOf(pair, prefix)])),
  })
  await writeFile(join(root, 'genesis.json'), manifest)
  const payload: GenesisPayload = await parseManifest(manifest, join(root, 'genesis.json'), options)
  const signed = await signGenesis(options.abi, payload, (message) => signEd25519(admin.secret, message))
  const hash = signed.hash.toString('hex')
  await writeGenesisFile(join(root, 'genesis.signed'), signed.bytes)
  const aliases = aliasesOf(payload.instructions)
  const listed = [...accounts].map(([name, pair]) => {
    const id = accountOfKey(accountKeyOf('ed25519', pair.publicKey.bytes))
    const address = formatAddress(id, payload.addressPrefix)
    return { name, alias: aliases.get(id) ?? address, address, keyFile: join(DEV_KEYS, `${name}.json`) }
  })
  const bridge = listed.find((one) => one.name === BRIDGE)
  for (const [index, one] of keys.entries()) {
    const folder = join(root, peerName(options, index))
    await writePeer(folder, one, renderNodeConfig(nodeValues(options, index, hash, bridge?.alias)), signed.bytes)
    if (bridge !== undefined) await cp(join(root, bridge.keyFile), join(folder, 'keys', 'bridge.json'))
  }
  const peers = keys.map((_, index) => ({
    name: peerName(options, index),
    gateway: `http://127.0.0.1:${options.gatewayPort + index}`,
    p2p: `127.0.0.1:${options.p2pPort + index}`,
    folder: peerName(options, index),
  }))
  return { chain: payload.chain, genesisHash: hash, manifest: 'genesis.json', peers, accounts: listed }
}

/**
 * Create a network in a folder, atomically. `record` writes its record into the given folder. Throws `file_exists`,
 * `file_unwritable`, `genesis_invalid`.
 */
export async function provision(
  options: ProvisionOptions,
  record: (folder: string, made: Provisioned) => Promise<void>,
): Promise<void> {
  await requireEmpty(options.folder)
  const draft = draftOf(options.folder)
  await mkdir(draft, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw unwritable(options.folder, error)
  })
  try {
    await record(draft, await build(options, draft))
    // Another run may have created its network there meanwhile.
    await clearPlace(options.folder, OTHER_FOLDER)
    await rename(draft, options.folder)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw error
  }
}

/** Default first ports. */
const GATEWAY_PORT = 8_080
const P2P_PORT = 7_400

/** Options of a local network with optional ports. */
export type LocalnetOptions = Omit<ProvisionOptions, 'gatewayPort' | 'p2pPort'> & {
  /** undefined: 8080, or the next free range. */
  readonly gatewayPort: number | undefined
  /** undefined: 7400, or the next free range. */
  readonly p2pPort: number | undefined
}

/** Choose ports and create the network; reports blocked ports. Throws also `address_in_use`. */
export async function makeLocalnet(
  options: LocalnetOptions,
  record: (folder: string, made: Provisioned) => Promise<void>,
  report: (text: string) => void,
): Promise<void> {
  const { gatewayPort, p2pPort } = options
  const peers = options.validators + (options.observers ?? 0)
  const gateway = await choosePorts(gatewayPort ?? GATEWAY_PORT, peers, gatewayPort !== undefined, '--gateway-port')
  const p2p = await choosePorts(p2pPort ?? P2P_PORT, peers, p2pPort !== undefined, '--p2p-port')
  for (const [what, range] of [
    ['gateways', gateway],
    ['links', p2p],
  ] as const) {
    if (range.moved.length > 0) report(`port ${range.moved.join(', ')} is in use: ${what} start at ${range.base}`)
  }
  await provision({ ...options, gatewayPort: gateway.base, p2pPort: p2p.base }, record)
}
