/** Owns the identity of a node: its keys, the genesis pinned by its configuration, the certificate of its gateway. */
import type { Json } from '../../codec/index.js'
import type { KeyAlgorithm, KeyPair } from '../../crypto/index.js'
import type { Abi } from '../../executor/index.js'
import { readKeyFor } from '../../files/key-file.js'
import { PASSPHRASE_ENV } from '../../files/passphrase.js'
import { type GatewayTls, readGatewayTls } from '../../gateway/tls.js'
import {
  chainHashOf,
  type GenesisPayload,
  genesisSeed,
  hashOfHeader,
  keyString,
  LedgerError,
  type Peer,
  type SignedGenesis,
  type ValidatorKey,
} from '../../model/index.js'
import type { NodeConfig } from '../config/index.js'
import { readGenesisFile } from '../genesis/index.js'

/** Consensus key of a node; a key without a local secret is held by the signer. */
export interface ConsensusKey {
  readonly publicKey: KeyPair['publicKey']
  readonly secret: KeyPair['secret'] | undefined
}

/** Keys of a node. */
export interface NodeKeys {
  readonly validator: ConsensusKey
  /** Key of a rotation in progress or completed; undefined if there is none. */
  readonly nextValidator: ConsensusKey | undefined
  readonly network: KeyPair
  /** Keys of features, by name. */
  readonly features: ReadonlyMap<string, KeyPair>
}

/** Key pair of a key file of a node. Throws like `readKeyFor`. */
export const keyOf = (path: string, algorithm: KeyAlgorithm, role: string): Promise<KeyPair> =>
  readKeyFor({ path, role, algorithm, passphrase: process.env[PASSPHRASE_ENV] })

/** Read the key files of the configuration; a node never creates its own identity. */
export async function readKeys(config: NodeConfig): Promise<NodeKeys> {
  const { network, features } = config.keys
  const own = {
    ...(await readConsensusKeys(config)),
    network: await keyOf(network, 'ed25519', 'network'),
  }
  const pairs = new Map<string, KeyPair>()
  for (const { name, algorithm, path } of features) pairs.set(name, await keyOf(path, algorithm, name))
  return { ...own, features: pairs }
}

/** Keys held by a signer are given in the configuration; all others are files. */
async function readConsensusKeys({ keys, signer }: NodeConfig): Promise<Pick<NodeKeys, 'validator' | 'nextValidator'>> {
  if (signer !== undefined) {
    const { validator, nextValidator: next } = signer
    return {
      validator: { publicKey: validator, secret: undefined },
      nextValidator: next && { publicKey: next, secret: undefined },
    }
  }
  const { validator, nextValidator } = keys
  return {
    validator: await keyOf(validator, 'bls', 'validator'),
    nextValidator: nextValidator === undefined ? undefined : await keyOf(nextValidator, 'bls', 'validator'),
  }
}

/** Paths of the consensus key files, beside which voting marks are kept; none with a signer. */
export const keyFilesOf = ({ keys, signer }: NodeConfig): string[] =>
  signer !== undefined ? [] : keys.nextValidator === undefined ? [keys.validator] : [keys.nextValidator, keys.validator]

/** Genesis of a network with derived values. */
export interface PinnedGenesis {
  readonly genesis: SignedGenesis
  readonly hash: Buffer
  readonly chainHash: Buffer
}

/** Genesis value of a parameter in JSON form, or the default of the ABI at genesis. */
function genesisParameter(abi: Abi, { parameters }: GenesisPayload, name: string): Json | undefined {
  const def = abi.parameters.find((one) => one.name === name)
  if (def === undefined) return undefined
  const encoded = parameters.get(name)
  const decoded = encoded === undefined ? undefined : def.schema.decode(encoded)
  return def.schema.toJson(decoded?.ok === true ? decoded.value : def.fallback)
}

/** Check the configuration against the parameters of genesis; a mismatch stops the node. */
function assertParameters({ file, consensus }: NodeConfig, abi: Abi, payload: GenesisPayload): void {
  const timeouts = genesisParameter(abi, payload, 'npos_timeouts')
  const expected = [
    ['epoch_length_blocks', consensus.epochLengthBlocks, genesisParameter(abi, payload, 'epoch_length_blocks')],
    [
      'npos_timeouts',
      consensus.nposTimeouts,
      timeouts === undefined ? undefined : Object.values(timeouts ?? {}).join(),
    ],
  ] as const
  for (const [name, own, decided] of expected) {
    if (own === undefined || String(own).replaceAll(' ', '') === String(decided)) continue
    throw new LedgerError(
      'consensus_mode_mismatch',
      `consensus.${name} in ${file} is ${own}, but ${name} in genesis is ${decided}`,
    )
  }
}

/** Read the signed genesis and compare it with the configuration. */
export async function readPinnedGenesis(config: NodeConfig, abi: Abi): Promise<PinnedGenesis> {
  const genesis = await readGenesisFile(abi, config.genesis.file)
  const hash = hashOfHeader(genesis.header)
  if (hash.toString('hex') !== config.genesis.hash) {
    throw new LedgerError(
      'genesis_mismatch',
      `genesis.hash in ${config.file} is ${config.genesis.hash}, but the hash of ${config.genesis.file} is ${hash.toString('hex')}`,
    )
  }
  const payload = genesis.payload.value
  assertParameters(config, abi, payload)
  return { genesis, hash, chainHash: chainHashOf(payload.chain, genesisSeed(genesis.payload.bytes)) }
}

/** Inputs of a start that are read before anything is opened. */
export interface StartFiles {
  readonly pinned: PinnedGenesis
  readonly keys: NodeKeys
  /** TLS of the gateway; undefined: plain HTTP. */
  readonly tls: GatewayTls | undefined
}

/**
 * Read every file that a configuration names, in the order of a start; throws the error that a start would fail with.
 */
export async function readStartFiles(config: NodeConfig, abi: Abi): Promise<StartFiles> {
  const pinned = await readPinnedGenesis(config, abi)
  const keys = await readKeys(config)
  const files = config.gateway.tls
  return { pinned, keys, tls: files === undefined ? undefined : await readGatewayTls(files) }
}

/** Consensus keys of this node, by preference: a rotated key precedes the key that it replaces. */
export const consensusKeysOf = (keys: Pick<NodeKeys, 'validator' | 'nextValidator'>): readonly ConsensusKey[] =>
  keys.nextValidator === undefined ? [keys.validator] : [keys.nextValidator, keys.validator]

/**
 * Name of this node among the peers: the validator key registered with its network key, otherwise its own first
 * validator key.
 */
export const peerNameOf = (keys: NodeKeys, peers: readonly Peer[]): ValidatorKey => {
  const network = keyString(keys.network.publicKey.bytes)
  return peers.find((peer) => peer.networkKey === network)?.key ?? keyString(keys.validator.publicKey.bytes)
}
