/** Owns the genesis records: the payload that everything derives from, and the signed block of height 1 (docs/design/ledger.md 8). */
import {
  bytes,
  bytesN,
  type Lazy,
  lazy,
  list,
  map,
  type Schema,
  string,
  struct,
  unitEnum,
  varint,
} from '../codec/index.js'
import { hash } from '../crypto/index.js'
import { type BlockHeader, blockHeader } from './header.js'
import { type NetworkKey, networkKey } from './keys.js'
import { ROSTER_MAX } from './limits.js'
import { chainId, name } from './names.js'
import type { ConsensusMode } from './parameters.js'
import { type Peer, peer } from './peer.js'
import { type Instruction, instruction } from './transaction.js'

/** Instructions of genesis: bounds the file, not the ledger. */
const GENESIS_INSTRUCTIONS_MAX = 1_000_000
/** Parameters and feature sections that a manifest may name. */
const GENESIS_SECTIONS_MAX = 256
/** Largest feature section, in bytes of its own encoding. */
const GENESIS_SECTION_MAX_BYTES = 16 * 1024 * 1024

/** Fields of every genesis manifest; features add sections of their own. */
export const MANIFEST_FIELDS = [
  'chain',
  'address_prefix',
  'consensus_mode',
  'created_at_ms',
  'genesis_key',
  'parameters',
  'topology',
  'instructions',
  'features',
] as const

const consensusMode_ = unitEnum('ConsensusMode', { permissioned: 0, npos: 1 })
export const consensusMode: Schema<ConsensusMode> = consensusMode_

/** Everything that a network starts from; its bytes give the genesis seed and the chain hash. */
export interface GenesisPayload {
  readonly chain: string
  readonly addressPrefix: string
  readonly consensusMode: ConsensusMode
  readonly createdAtMs: number
  /** Ed25519 key that signs the genesis block. */
  readonly genesisKey: NetworkKey
  /** Number of the ABI that is active from the start. */
  readonly abi: number
  /** Parameter name to its encoded value; those not named have their defaults. */
  readonly parameters: ReadonlyMap<string, Uint8Array>
  readonly topology: readonly Peer[]
  /** Run in order, exempt from permissions, before the feature sections. */
  readonly instructions: readonly Instruction[]
  /** Feature name to its encoded genesis section. */
  readonly features: ReadonlyMap<string, Uint8Array>
}
const genesisPayload_ = struct('GenesisPayload', {
  chain: chainId,
  addressPrefix: string(16),
  consensusMode,
  createdAtMs: varint,
  genesisKey: networkKey,
  abi: varint,
  parameters: map(name, bytes(GENESIS_SECTION_MAX_BYTES), GENESIS_SECTIONS_MAX),
  topology: list(peer, ROSTER_MAX),
  instructions: list(instruction, GENESIS_INSTRUCTIONS_MAX),
  features: map(name, bytes(GENESIS_SECTION_MAX_BYTES), GENESIS_SECTIONS_MAX),
})
export const genesisPayload: Schema<GenesisPayload> = genesisPayload_

/** The block of height 1: its body is the genesis payload, its proof the signature of the genesis key. */
export interface SignedGenesis {
  readonly payload: Lazy<GenesisPayload>
  readonly header: BlockHeader
  /** Ed25519 over hash("genesis", header bytes). */
  readonly signature: Uint8Array
}
const signedGenesis_ = struct('SignedGenesis', {
  payload: lazy(genesisPayload),
  header: blockHeader,
  signature: bytesN(64),
})
export const signedGenesis: Schema<SignedGenesis> = signedGenesis_

/** Seed of committees: never of the header, whose roots depend on it. */
export const genesisSeed = (payloadBytes: Uint8Array): Buffer => hash('genesis-seed', payloadBytes)

/** Binds every signed consensus byte to one chain and one genesis. */
export const chainHashOf = (chain: string, seed: Uint8Array): Buffer => hash('chain', Buffer.from(chain, 'utf8'), seed)

/** What the genesis key signs. */
export const genesisSignBytes = (headerBytes: Uint8Array): Buffer => hash('genesis', headerBytes)
