/**
 * Owns the genesis records: the payload, from which the initial state derives, and the signed block of height 1
 * (docs/design/ledger.md 8).
 */
import { bytes, bytesN, type Infer, lazy, list, map, string, struct, unitEnum, varint } from '../codec/index.js'
import { hash } from '../crypto/index.js'
import { blockHeader } from './header.js'
import { networkKey } from './keys.js'
import { ROSTER_MAX } from './limits.js'
import { chainId, name } from './names.js'
import { peer } from './peer.js'
import { anyInstruction } from './transaction.js'

/** Maximum instructions of genesis; bounds the file, not the ledger. */
const GENESIS_INSTRUCTIONS_MAX = 1_000_000
/** Maximum parameters, and maximum feature sections, of a manifest. */
const GENESIS_SECTIONS_MAX = 256
/** Maximum feature section, in encoded bytes. */
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
  /** Encoded values by parameter name; other parameters have their defaults. */
  parameters: map(name, bytes(GENESIS_SECTION_MAX_BYTES), GENESIS_SECTIONS_MAX),
  topology: list(peer, ROSTER_MAX),
  /** Run in order before the feature sections, without permission checks. */
  instructions: list(anyInstruction, GENESIS_INSTRUCTIONS_MAX),
  /** Encoded genesis sections by feature name. */
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

/** Seed of committees, derived from the payload because the roots of the header depend on it. */
export const genesisSeed = (payloadBytes: Uint8Array): Buffer => hash('genesis-seed', payloadBytes)

/** Hash that binds all signed consensus bytes to one chain and one genesis. */
export const chainHashOf = (chain: string, seed: Uint8Array): Buffer => hash('chain', Buffer.from(chain, 'utf8'), seed)

/** Bytes signed by the genesis key. */
export const genesisSignBytes = (headerBytes: Uint8Array): Buffer => hash('genesis', headerBytes)
