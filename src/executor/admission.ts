/**
 * Owns the validity rules of a transaction at a given time: the same checks at admission, building and voting
 * (docs/design/ledger.md 4).
 */
import {
  accountOfKey,
  curveOfKey,
  expiresAtMs,
  keylessKind,
  keyOfAccount,
  policyFault,
  type SignedTransaction,
  splitAccountKey,
  type TransactionEnvelope,
  type TransactionHead,
  type TransactionPayload,
  weightOf,
} from '../model/index.js'
import { type Rejection, reject } from './contract.js'
import type { Abi } from './registry.js'
import type { TransactionLimits } from './system-parameters.js'
import { type StaticCost, staticCost } from './transaction.js'

/** Inputs of the admission checks. */
export interface AdmissionContext {
  readonly abi: Abi
  readonly chain: string
  readonly limits: TransactionLimits
  /** Header time for voting, the node's clock for admission; ms since the Unix epoch. */
  readonly timeMs: number
}

type Timed = Omit<AdmissionContext, 'abi'>

/** Reason why a decoded transaction is not acceptable, or undefined; signatures are verified elsewhere. */
export function transactionFault(
  ctx: AdmissionContext,
  signedBytes: number,
  signed: SignedTransaction,
): Rejection | undefined {
  return faultAtCost(ctx, signedBytes, signed, staticCost(ctx.abi, signed, signedBytes))
}

/** Like `transactionFault`, for a transaction with a known static cost. */
export function faultAtCost(
  ctx: Timed,
  signedBytes: number,
  signed: SignedTransaction,
  cost: StaticCost,
): Rejection | undefined {
  return envelopeFault(ctx, signedBytes, signed) ?? countFault(ctx, signed.payload.value) ?? costFault(ctx.limits, cost)
}

/** Part of `transactionFault` that does not depend on the instructions. */
export const envelopeFault = (ctx: Timed, signedBytes: number, signed: TransactionEnvelope): Rejection | undefined =>
  timeFault(ctx, signed.payload.value) ?? signerFault(signed) ?? sizeFault(ctx, signedBytes)

function timeFault(ctx: Timed, payload: TransactionHead): Rejection | undefined {
  if (payload.chain !== ctx.chain) {
    return reject('chain_mismatch', `signed for chain ${payload.chain}, but this chain is ${ctx.chain}`)
  }
  if (payload.ttlMs < 1) return reject('transaction_limit', 'ttl_ms must be at least 1')
  if (payload.ttlMs > ctx.limits.maxTtlMs) {
    return reject('ttl_too_long', `ttl_ms is ${payload.ttlMs}, at most ${ctx.limits.maxTtlMs} is allowed`)
  }
  const aheadMs = payload.createdAtMs - ctx.timeMs
  if (aheadMs > ctx.limits.maxClockDriftMs) {
    return reject('transaction_in_future', `created ${aheadMs} ms ahead of the block time`)
  }
  const expiry = expiresAtMs(payload)
  if (expiry <= ctx.timeMs) return reject('transaction_expired', `expired ${ctx.timeMs - expiry} ms ago`)
  return undefined
}

function signerFault(signed: TransactionEnvelope): Rejection | undefined {
  const [first, ...others] = signed.signatures
  if (first === undefined) return reject('signature_missing', 'the transaction has no signature')
  if (signed.signatures.some((one) => one.signature.length !== 64)) {
    return reject('signature_invalid', 'a signature must have 64 bytes')
  }
  const { authority } = signed.payload.value
  const key = keyOfAccount(authority)
  const keyless = keylessKind(authority)
  if (keyless !== undefined) return reject('signature_unknown_signer', `a ${keyless} account has no signing key`)
  if (key === undefined) return membersFault(signed)
  if (signed.policy !== undefined)
    return reject('signature_unknown_signer', 'a single-key account must not send a multisig policy')
  if (others.length > 0) return reject('transaction_limit', 'a single-key account signs exactly once')
  if (first.publicKey !== key)
    return reject('signature_unknown_signer', 'the signature is not by the key of the authority')
  return undefined
}

/** True if the signatures have enough weight by the rules in the record; the ledger checks the rules. */
function membersFault({ policy, signatures }: TransactionEnvelope): Rejection | undefined {
  if (policy === undefined) return reject('signature_missing', 'a multisig account must send its policy')
  const fault = policyFault(policy)
  if (fault !== undefined) return reject('signature_unknown_signer', fault)
  const signers = new Set(signatures.map((one) => accountOfKey(one.publicKey)))
  if (signers.size < signatures.length) return reject('transaction_limit', 'a member signs at most once')
  const members = new Set(policy.members.map((member) => member.account))
  if (![...signers].every((one) => members.has(one))) {
    return reject('signature_unknown_signer', 'a signature is not by a member')
  }
  return weightOf(policy, signers) < policy.quorum
    ? reject('signature_insufficient', `the weight of the signatures is below the quorum of ${policy.quorum}`)
    : undefined
}

/** Reason why a record of this size is too long. */
export const sizeFault = ({ limits }: Pick<AdmissionContext, 'limits'>, signedBytes: number): Rejection | undefined =>
  signedBytes > limits.maxTxBytes
    ? reject('transaction_limit', `${signedBytes} bytes exceed the limit of ${limits.maxTxBytes}`)
    : undefined

function countFault({ limits }: Pick<AdmissionContext, 'limits'>, payload: TransactionPayload): Rejection | undefined {
  const count = payload.executable.value.length
  if (count < 1) return reject('transaction_limit', 'a transaction must have at least one instruction')
  if (count > limits.maxInstructions) {
    return reject('transaction_limit', `${count} instructions exceed the limit of ${limits.maxInstructions}`)
  }
  return undefined
}

function costFault(limits: TransactionLimits, { teu, proofWork }: StaticCost): Rejection | undefined {
  const { proofWorkPerBlock, maxTeuPerTx } = limits
  if (proofWork > proofWorkPerBlock) {
    return reject('proof_work_exceeded', `${proofWork} units of proof work exceed the limit of ${proofWorkPerBlock}`)
  }
  return teu > maxTeuPerTx
    ? reject('transaction_limit', `${teu} execution units exceed the limit of ${maxTeuPerTx}`)
    : undefined
}

/** Signature to verify: algorithm, raw key, message, signature. */
export interface SignatureItem {
  readonly algorithm: 'ed25519' | 'secp256k1'
  readonly publicKey: Uint8Array
  readonly message: Uint8Array
  readonly signature: Uint8Array
}

/** Signatures of a transaction that passed `transactionFault`, for a verifier; the message is its id. */
export const signatureItems = (signed: Pick<SignedTransaction, 'signatures'>, id: Uint8Array): SignatureItem[] =>
  signed.signatures.map(({ publicKey, signature }) => {
    const { curve, bytes } = splitAccountKey(publicKey)
    return { algorithm: curve, publicKey: bytes, message: id, signature }
  })

/** Cost of verifying a secp256k1 signature, in Ed25519 signatures: 0.6 ms against 0.05 ms. */
const SECP256K1_WEIGHT = 12

/** Cost of verifying the signatures of a record, in Ed25519 signatures. */
export function signatureWeight({ signatures }: Pick<TransactionEnvelope, 'signatures'>): number {
  let weight = 0
  for (const { publicKey } of signatures) weight += curveOfKey(publicKey) === 'ed25519' ? 1 : SECP256K1_WEIGHT
  return weight
}

/** Combine results per signature into results per transaction, which require all of its signatures. */
export function validSignatures(
  signed: readonly Pick<SignedTransaction, 'signatures'>[],
  results: readonly boolean[],
): boolean[] {
  let at = 0
  return signed.map(({ signatures }) => {
    const own = results.slice(at, at + signatures.length)
    at += signatures.length
    return own.length > 0 && own.length === signatures.length && own.every((one) => one === true)
  })
}
