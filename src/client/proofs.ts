/**
 * Owns the verification of proofs against the genesis hash: no other data of a node is trusted (docs/design/ledger.md
 * 5, 6).
 */
import type { FinalityProof, StateRecordProof, TransactionProof } from '../api/index.js'
import { sameBytes } from '../base/bytes.js'
import { checkCertifiedHeader, keyListHash, selectCommittee } from '../consensus/index.js'
import { type CryptoService, rootOfProof } from '../crypto/index.js'
import {
  type CertifiedHeader,
  chainHashOf,
  entryResultLeaf,
  FIRST_VOTED_HEIGHT,
  GENESIS_HEIGHT,
  genesisSeed,
  hashOfHeader,
  keyBytes,
  payloadHash,
  signedHash,
  transactionId,
  type ValidatorKey,
} from '../model/index.js'
import { verifyStateProof } from '../state/proof.js'
import { opaqueTransaction } from './submission.js'

/** Content of a valid proof, or the fault. */
export type ProofResult =
  | { readonly ok: true; readonly block: CertifiedHeader }
  | { readonly ok: false; readonly fault: string }

/** Trusted start for later proofs after a proven block: the next signers, and their signing context. */
export interface Checkpoint {
  readonly height: number
  readonly epoch: number
  readonly seed: Uint8Array
  readonly roster: readonly ValidatorKey[]
}
/** Result for a block, with the start of the next proof. */
export type FinalityResult =
  | { readonly ok: true; readonly block: CertifiedHeader; readonly checkpoint: Checkpoint }
  | { readonly ok: false; readonly fault: string }

const bad = (fault: string): { readonly ok: false; readonly fault: string } => ({ ok: false, fault })

/** Trusted chain state of a verifier: the signing context, and the current roster. */
export interface Trusted {
  readonly chainHash: Buffer
  readonly seed: Uint8Array
  readonly epoch: number
  readonly roster: readonly ValidatorKey[]
}

/** Fault of a certified header without a quorum of signatures of the committee at its height. */
export async function certificateFault(
  { chainHash, seed, epoch, roster }: Trusted,
  certified: CertifiedHeader,
  crypto: CryptoService,
): Promise<string | undefined> {
  const { header, certificate } = certified
  const { height } = header
  if (certificate.phase !== 'commit') return `header ${height} has no commit certificate`
  if (!sameBytes(header.rosterHash, keyListHash(roster))) return `header ${height} has another roster than the proof`
  const committee = selectCommittee(roster, chainHash, seed, height)
  if (!sameBytes(committee.hash, header.committeeHash))
    return `header ${height} has another committee than its roster determines`
  const check = checkCertifiedHeader(certified, committee, {
    chainHash,
    committeeHash: committee.hash,
    epoch,
    height,
  })
  if ('fault' in check) return `header ${height}: ${check.fault}`
  for (const one of check.checks) {
    if (one.kind !== 'same') return `header ${height}: the certificate covers different messages`
    const held = await crypto.blsVerifyAggregate(one.keys.map(keyBytes), one.message, one.signature)
    if (held !== true) return `header ${height}: the signature of its certificate is invalid`
  }
  return undefined
}

/**
 * Verify that a block is final on the chain with this genesis hash. Headers between two roster changes are not needed:
 * the proof assumes that no quorum of any roster, including former ones, signed another chain. A proof requested from a
 * proven block (`from`) starts with the result of the proof of that block.
 */
export async function verifyFinality(
  proof: FinalityProof,
  genesisHash: Uint8Array,
  crypto: CryptoService,
  from?: Checkpoint,
): Promise<FinalityResult> {
  const { genesisHeader, genesisPayload, rosters, block } = proof
  if (!sameBytes(hashOfHeader(genesisHeader), genesisHash)) return bad('the hash of the genesis block differs')
  if (genesisHeader.height !== GENESIS_HEIGHT) return bad('the height of the genesis block differs')
  if (!sameBytes(payloadHash(genesisPayload), genesisHeader.payloadHash)) {
    return bad('the genesis payload does not belong to the genesis block')
  }
  const seed = genesisSeed(genesisPayload)
  const chainHash = chainHashOf(genesisHeader.chain, seed)
  let trusted: Trusted | undefined = from && { chainHash, ...from }
  let last = from?.height ?? GENESIS_HEIGHT
  for (const { height, roster, epoch, before, first } of rosters) {
    if (height <= last || first.header.height !== height)
      return bad('the rosters are not in the order of their heights')
    let below = genesisHeader
    if (trusted === undefined) {
      if (height !== FIRST_VOTED_HEIGHT) return bad(`the first roster must take effect at height ${FIRST_VOTED_HEIGHT}`)
    } else {
      if (before === undefined || before.header.height !== height - 1)
        return bad(`no header determines the roster of height ${height}`)
      const fault = await certificateFault(trusted, before, crypto)
      if (fault !== undefined) return bad(fault)
      below = before.header
    }
    if (!sameBytes(first.header.parentHash, hashOfHeader(below))) return bad(`header ${height} has another parent`)
    if (!sameBytes(first.header.committeeHash, below.nextCommitteeHash)) {
      return bad(`header ${height} has another committee than its parent determined`)
    }
    // Signatures are bound to the seed and epoch, so none would be valid for another committee.
    trusted = { chainHash, seed: epoch?.seed ?? seed, epoch: epoch?.number ?? 0, roster }
    const fault = await certificateFault(trusted, first, crypto)
    if (fault !== undefined) return bad(fault)
    last = height
  }
  if (trusted === undefined || block.header.height < last) return bad('the proof has no roster for its block')
  if (block.header.chain !== genesisHeader.chain) return bad('the block belongs to another chain')
  const fault = await certificateFault(trusted, block, crypto)
  if (fault !== undefined) return bad(fault)
  const { epoch, seed: acting, roster } = trusted
  return { ok: true, block, checkpoint: { height: block.header.height, epoch, seed: acting, roster } }
}

/** Verify a record of the world state, or its absence. */
export async function verifyStateRecord(
  proof: StateRecordProof,
  genesisHash: Uint8Array,
  crypto: CryptoService,
  from?: Checkpoint,
): Promise<FinalityResult> {
  const result = await verifyFinality(proof.finality, genesisHash, crypto, from)
  if (!result.ok) return result
  const { header } = result.block
  if (header.height !== proof.height) return bad('the height of the block differs from the proof')
  const row = Buffer.concat([Buffer.of(proof.tableId >> 8, proof.tableId & 0xff), proof.key])
  const holds = verifyStateProof(header.stateRoot, row, proof.value, proof.proof)
  return holds ? result : bad('the record is not under the state root of the block')
}

/** Verify a transaction and its result. */
export async function verifyTransaction(
  proof: TransactionProof,
  genesisHash: Uint8Array,
  crypto: CryptoService,
  from?: Checkpoint,
): Promise<FinalityResult> {
  const result = await verifyFinality(proof.finality, genesisHash, crypto, from)
  if (!result.ok) return result
  const included = verifyInclusion(proof, result.block)
  return included.ok ? result : included
}

/** Verify a transaction and its result under a block that is known to be final. */
export function verifyInclusion(proof: TransactionProof, block: CertifiedHeader): ProofResult {
  const { header } = block
  const { transaction, transactionProof, transactionHash, result, resultProof } = proof
  if (header.height !== proof.height) return bad('the height of the block differs from the proof')
  const record = opaqueTransaction.decode(transaction)
  if (!record.ok || !sameBytes(transactionId(record.value.payload), transactionHash))
    return bad('the record belongs to another transaction than the proof')
  if (transactionProof.leafCount !== header.transactionCount)
    return bad('the number of transactions in the block differs')
  const root = rootOfProof(signedHash(transaction), transactionProof)
  if (root === undefined || !sameBytes(root, header.transactionsRoot)) {
    return bad('the transaction is not under the transactions root of the block')
  }
  if (!sameBytes(result.transactionId, transactionHash)) return bad('the result belongs to another transaction')
  const results = rootOfProof(entryResultLeaf(result), resultProof)
  if (results === undefined || !sameBytes(results, header.resultsRoot)) {
    return bad('the result is not under the results root of the block')
  }
  return { ok: true, block }
}
