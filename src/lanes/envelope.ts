/**
 * Owns relay envelopes: the settlements of a lane in one block with their complete proof, verifiable without a node
 * (docs/design/lanes.md 7).
 */
import { sameBytes } from '../base/bytes.js'
import { hash32, type Infer, list, type Schema, struct, u8, u32, varint, varintBig } from '../codec/index.js'
import { checkQuorumCertificate, committeeOf, keyListHash, type SameMessageCheck } from '../consensus/index.js'
import { hash, type MerkleProof, merkleProof, rootOfProof } from '../crypto/index.js'
import {
  type BlockHeader,
  blockHeader,
  hashOfHeader,
  LANE_MAX,
  type QuorumCertificate,
  quorumCertificate,
  ROSTER_MAX,
  type ValidatorKey,
  validatorKey,
} from '../model/index.js'
import { boundLaneRoot, type LaneCommitment, laneCommitment, laneLeaf } from './commitment.js'
import { type LaneSettlementCommitment, laneSettlementCommitment, settlementHashOf } from './settlement.js'

/** Version of the record. */
export const RELAY_ENVELOPE_VERSION = 1
/** Maximum number of siblings in a path over 1,000 lanes. */
const LANE_PATH_MAX = 32 - Math.clz32(LANE_MAX)

const lanePath_ = struct('LanePath', { index: u32, leafCount: u32, path: list(hash32, LANE_PATH_MAX) })
const lanePath: Schema<MerkleProof> = lanePath_

/**
 * Relay envelope, derived after the commit and not part of the state. Certificates of one block differ between nodes
 * and are therefore not part of its identity.
 */
export interface RelayEnvelope extends Infer<typeof relayEnvelope> {}
export const relayEnvelope = struct('RelayEnvelope', {
  version: u8,
  chainHash: hash32,
  lane: u32,
  dataspace: varintBig,
  header: blockHeader,
  certificate: quorumCertificate,
  /** Epoch of the height; the signatures cover it, but the header does not contain it. */
  epoch: varint,
  /** Committee of the height, in roster order. */
  committeeKeys: list(validatorKey, ROSTER_MAX),
  /** Merkle root of the 64 KiB pieces of the lane's records. */
  daCommitmentHash: hash32,
  laneCommitment,
  lanePath,
  settlementCommitment: laneSettlementCommitment,
  settlementHash: hash32,
  lanePayloadBytes: varint,
})

/** Identity of the settlement in an envelope. */
export interface RelayIdentity extends Infer<typeof relayIdentity> {}
export const relayIdentity = struct('RelayIdentity', {
  chainHash: hash32,
  lane: u32,
  dataspace: varintBig,
  height: varint,
  settlementHash: hash32,
})

/** Identity of an envelope. */
export const identityOf = ({ chainHash, lane, dataspace, header, settlementHash }: RelayEnvelope): RelayIdentity => ({
  chainHash,
  lane,
  dataspace,
  height: header.height,
  settlementHash,
})

/** Key for the detection of duplicate envelopes. */
export const identityHash = (identity: RelayIdentity): Buffer => hash('relay-identity', relayIdentity.encode(identity))

/** Create the envelope of a lane with settlements in a block. */
export function makeEnvelope(block: {
  readonly chainHash: Uint8Array
  readonly header: BlockHeader
  readonly certificate: QuorumCertificate
  readonly epoch: number
  readonly committeeKeys: readonly ValidatorKey[]
  /** All lane commitments of the block, ascending. */
  readonly commitments: readonly LaneCommitment[]
  readonly settlement: LaneSettlementCommitment
}): RelayEnvelope {
  const { settlement, commitments } = block
  const index = commitments.findIndex((one) => one.lane === settlement.lane)
  const own = commitments[index]
  if (own === undefined) throw new Error(`lane ${settlement.lane} settled in a block without a commitment`)
  return {
    version: RELAY_ENVELOPE_VERSION,
    chainHash: block.chainHash,
    lane: own.lane,
    dataspace: own.dataspace,
    header: block.header,
    certificate: block.certificate,
    epoch: block.epoch,
    committeeKeys: block.committeeKeys,
    daCommitmentHash: own.chunkRoot,
    laneCommitment: own,
    lanePath: merkleProof(commitments.map(laneLeaf), index),
    settlementCommitment: settlement,
    settlementHash: own.settlementHash,
    lanePayloadBytes: own.bytes,
  }
}

/** Faults of an invalid envelope. */
export const ENVELOPE_FAULTS = [
  'version',
  'header',
  'phase',
  'committee',
  'anchor',
  'certificate',
  'lane_path',
  'lane',
  'settlement',
  'data_availability',
  'payload_bytes',
] as const
export type EnvelopeFault = (typeof ENVELOPE_FAULTS)[number]

/** Committee hash that a verifier trusts for a height of a chain; undefined if it trusts none. */
export type CommitteeAnchor = (chainHash: Uint8Array, height: number) => Uint8Array | undefined

/**
 * Verify everything in an envelope except the signature, in the order of the design, and return the remaining signature
 * check. The caller detects duplicates.
 */
export function checkEnvelope(
  envelope: RelayEnvelope,
  anchor: CommitteeAnchor,
): { readonly fault: EnvelopeFault; readonly detail: string } | { readonly check: SameMessageCheck } {
  const { header, certificate, chainHash, laneCommitment: own, settlementCommitment: settled } = envelope
  const fault = (code: EnvelopeFault, detail: string) => ({ fault: code, detail })
  if (envelope.version !== RELAY_ENVELOPE_VERSION) return fault('version', `unknown version ${envelope.version}`)
  if (header.height !== certificate.height || !sameBytes(hashOfHeader(header), certificate.blockHash)) {
    return fault('header', 'the certificate belongs to another block')
  }
  if (certificate.phase !== 'commit') return fault('phase', 'the certificate is not a commit certificate')
  const committee = committeeOf(header.height, envelope.committeeKeys)
  if (!sameBytes(keyListHash(envelope.committeeKeys), header.committeeHash)) {
    return fault('committee', 'the keys are not the committee of the header')
  }
  const trusted = anchor(chainHash, header.height)
  if (trusted === undefined) return fault('anchor', `no committee of height ${header.height} is trusted for this chain`)
  if (!sameBytes(trusted, committee.hash)) return fault('anchor', 'another committee is trusted for this height')
  const domain = { chainHash, committeeHash: committee.hash, epoch: envelope.epoch, height: header.height }
  const certified = checkQuorumCertificate(certificate, committee, domain)
  if ('fault' in certified) return fault('certificate', certified.fault)
  const [check] = certified.checks
  if (check === undefined) return fault('certificate', 'the certificate has no signature')

  const root = rootOfProof(laneLeaf(own), envelope.lanePath)
  const bound = root === undefined ? undefined : boundLaneRoot(envelope.lanePath.leafCount, root)
  if (bound === undefined || !sameBytes(bound, header.laneCommitmentRoot)) {
    return fault('lane_path', 'the lane commitment is not under the root of the header')
  }
  const places = [own, settled]
  if (places.some((one) => one.lane !== envelope.lane || one.dataspace !== envelope.dataspace)) {
    return fault('lane', 'lane or dataspace differs')
  }
  if (places.some((one) => one.height !== header.height)) return fault('lane', 'heights differ')
  if (!sameBytes(settlementHashOf(settled), own.settlementHash)) {
    return fault('settlement', 'the settlement differs from the commitment of the lane')
  }
  if (!sameBytes(envelope.settlementHash, own.settlementHash)) return fault('settlement', 'the settlement hash differs')
  if (!sameBytes(envelope.daCommitmentHash, own.chunkRoot)) {
    return fault('data_availability', 'the data-availability hash differs from that of the lane')
  }
  if (envelope.lanePayloadBytes !== own.bytes) return fault('payload_bytes', 'the bytes differ from those of the lane')
  return { check }
}
