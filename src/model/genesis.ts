/** Owns the genesis records: the payload that everything derives from, and the signed block of height 1 (docs/design/ledger.md 8). */
import { bytes, bytesN, type Infer, lazy, list, map, string, struct, unitEnum, varint } from '../codec/index.js'
import { hash } from '../crypto/index.js'
import { blockHeader } from './header.js'
import { networkKey } from './keys.js'
import { ROSTER_MAX } from './limits.js'
import { chainId, name } from './names.js'
import { peer } from './peer.js'
import { anyInstruction } from './transaction.js'

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

export const consensusMode = unitEnum('ConsensusMode', { permissioned: 0, npos: 1 })

/** Genesis of a network; its bytes determine the genesis seed and the chain hash. */
export interface GenesisPayload extends Infer<typeof genesisPayload> {}
export const genesisPayload = struct('GenesisPayload', {
  chain: chainId,
  addressPrefix: string(16),
  consensusMode,
  createdAtMs: varint,
  /** Ed25519 key that signs the genesis block. */
  genesisKey: networkKey,
  /** Number of the ABI that is active from the start. */
  abi: varint,
  /** Parameter name to its encoded value; those not named have their defaults. */
  parameters: map(name, bytes(GENESIS_SECTION_MAX_BYTES), GENESIS_SECTIONS_MAX),
  topology: list(peer, ROSTER_MAX),
  /** Run in order, exempt from permissions, before the feature sections. */
  instructions: list(anyInstruction, GENESIS_INSTRUCTIONS_MAX),
  /** Feature name to its encoded genesis section. */
  features: map(name, bytes(GENESIS_SECTION_MAX_BYTES), GENESIS_SECTIONS_MAX),
})

/** The block of height 1: its body is the genesis payload, its proof the signature of the genesis key. */
export interface SignedGenesis extends Infer<typeof signedGenesis> {}
export const signedGenesis = struct('SignedGenesis', {
  payload: lazy(genesisPayload),
  header: blockHeader,
  /** Ed25519 over hash("genesis", header bytes). */
  signature: bytesN(64),
})

/** Seed of committees, from the payload: the roots of the header depend on it. */
export const genesisSeed = (payloadBytes: Uint8Array): Buffer => hash('genesis-seed', payloadBytes)

/** Binds every signed consensus byte to one chain and one genesis. */
export const chainHashOf = (chain: string, seed: Uint8Array): Buffer => hash('chain', Buffer.from(chain, 'utf8'), seed)

/** Bytes signed by the genesis key. */
export const genesisSignBytes = (headerBytes: Uint8Array): Buffer => hash('genesis', headerBytes)
