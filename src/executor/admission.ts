/** Owns validity rules of a transaction at a time: the same checks at admission, building and voting (docs/design/ledger.md 4). */
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

/** What a transaction is checked against. */
export interface AdmissionContext {
  readonly abi: Abi
  readonly chain: string
  readonly limits: TransactionLimits
  /** Header time when voting, the node's clock at admission; ms since the Unix epoch. */
  readonly timeMs: number
}

type Timed = Omit<AdmissionContext, 'abi'>

/** Why a decoded transaction is not acceptable, or undefined; signatures are verified elsewhere. */
export function transactionFault(
  ctx: AdmissionContext,
  signedBytes: number,
  signed: SignedTransaction,
): Rejection | undefined {
  return faultAtCost(ctx, signedBytes, signed, staticCost(ctx.abi, signed, signedBytes))
}

/** The same of a transaction whose static cost is known. */
export function faultAtCost(
  ctx: Timed,
  signedBytes: number,
  signed: SignedTransaction,
  cost: StaticCost,
): Rejection | undefined {
  return envelopeFault(ctx, signedBytes, signed) ?? countFault(ctx, signed.payload.value) ?? costFault(ctx.limits, cost)
}

/** The part of `transactionFault` that asks for nothing of what the transaction does. */
export const envelopeFault = (ctx: Timed, signedBytes: number, signed: TransactionEnvelope): Rejection | undefined =>
  timeFault(ctx, signed.payload.value) ?? signerFault(signed) ?? sizeFault(ctx, signedBytes)

function timeFault(ctx: Timed, payload: TransactionHead): Rejection | undefined {
  if (payload.chain !== ctx.chain) {
    return reject('chain_mismatch', `signed for chain ${payload.chain}, this is ${ctx.chain}`)
  }
  if (payload.ttlMs < 1) return reject('transaction_limit', 'ttl_ms is at least 1')
  if (payload.ttlMs > ctx.limits.maxTtlMs) {
    return reject('ttl_too_long', `ttl_ms is ${payload.ttlMs}, at most ${ctx.limits.maxTtlMs} is allowed`)
  }
  const aheadMs = payload.createdAtMs - ctx.timeMs
  if (aheadMs > ctx.limits.maxClockDriftMs) {
    return reject('transaction_in_future', `created ${aheadMs} ms in the future`)
  }
  const expiry = expiresAtMs(payload)
  if (expiry <= ctx.timeMs) return reject('transaction_expired', `expired ${ctx.timeMs - expiry} ms ago`)
  return undefined
}

function signerFault(signed: TransactionEnvelope): Rejection | undefined {
  const [first, ...others] = signed.signatures
  if (first === undefined) return reject('signature_missing', 'the transaction is not signed')
  if (signed.signatures.some((one) => one.signature.length !== 64)) {
    return reject('signature_invalid', 'a signature has 64 bytes')
  }
  const { authority } = signed.payload.value
  const key = keyOfAccount(authority)
  const keyless = keylessKind(authority)
  if (keyless !== undefined) return reject('signature_unknown_signer', `a ${keyless} account has no key that signs`)
  if (key === undefined) return membersFault(signed)
  if (signed.policy !== undefined) return reject('signature_unknown_signer', 'a single-key account has no weight rules')
  if (others.length > 0) return reject('transaction_limit', 'a single-key account signs once')
  if (first.publicKey !== key) return reject('signature_unknown_signer', 'not signed with the key of the authority')
  return undefined
}

/** Whether members signed with enough weight by the rules that the record names; whether they hold is the ledger's to say. */
function membersFault({ policy, signatures }: TransactionEnvelope): Rejection | undefined {
  if (policy === undefined) return reject('signature_missing', 'a multisig account signs with its weight rules')
  const fault = policyFault(policy)
  if (fault !== undefined) return reject('signature_unknown_signer', fault)
  const signers = new Set(signatures.map((one) => accountOfKey(one.publicKey)))
  if (signers.size < signatures.length) return reject('transaction_limit', 'a member signs once')
  const members = new Set(policy.members.map((member) => member.account))
  if (![...signers].every((one) => members.has(one))) {
    return reject('signature_unknown_signer', 'not signed by members alone')
  }
  return weightOf(policy, signers) < policy.quorum
    ? reject('signature_insufficient', `the signatures weigh less than ${policy.quorum}`)
    : undefined
}

/** Why a record of so many bytes is too long. */
export const sizeFault = ({ limits }: Pick<AdmissionContext, 'limits'>, signedBytes: number): Rejection | undefined =>
  signedBytes > limits.maxTxBytes
    ? reject('transaction_limit', `${signedBytes} bytes, at most ${limits.maxTxBytes} are allowed`)
    : undefined

function countFault({ limits }: Pick<AdmissionContext, 'limits'>, payload: TransactionPayload): Rejection | undefined {
  const count = payload.executable.value.length
  if (count < 1) return reject('transaction_limit', 'a transaction has at least one instruction')
  if (count > limits.maxInstructions) {
    return reject('transaction_limit', `${count} instructions, at most ${limits.maxInstructions} are allowed`)
  }
  return undefined
}

function costFault(limits: TransactionLimits, { teu, proofWork }: StaticCost): Rejection | undefined {
  const { proofWorkPerBlock, maxTeuPerTx } = limits
  if (proofWork > proofWorkPerBlock) {
    return reject('proof_work_exceeded', `${proofWork} units of proof work, at most ${proofWorkPerBlock} are allowed`)
  }
  return teu > maxTeuPerTx
    ? reject('transaction_limit', `${teu} execution units, at most ${maxTeuPerTx} are allowed`)
    : undefined
}

/** One signature to verify: algorithm, raw key, message, signature. */
export interface SignatureItem {
  readonly algorithm: 'ed25519' | 'secp256k1'
  readonly publicKey: Uint8Array
  readonly message: Uint8Array
  readonly signature: Uint8Array
}

/** The signatures of a transaction that passed `transactionFault`, ready for a verifier; the message is its id. */
export const signatureItems = (signed: Pick<SignedTransaction, 'signatures'>, id: Uint8Array): SignatureItem[] =>
  signed.signatures.map(({ publicKey, signature }) => {
    const { curve, bytes } = splitAccountKey(publicKey)
    return { algorithm: curve, publicKey: bytes, message: id, signature }
  })

/** What verifying a signature by secp256k1 takes, in those by Ed25519: 0.6 ms and 0.05 ms. */
const SECP256K1_WEIGHT = 12

/** What verifying the signatures of a record takes, in signatures by Ed25519. */
export function signatureWeight({ signatures }: Pick<TransactionEnvelope, 'signatures'>): number {
  let weight = 0
  for (const { publicKey } of signatures) weight += curveOfKey(publicKey) === 'ed25519' ? 1 : SECP256K1_WEIGHT
  return weight
}

/** Verdicts per signature folded into verdicts per transaction: all of its signatures hold. */
export function verdictsOf(
  signed: readonly Pick<SignedTransaction, 'signatures'>[],
  verdicts: readonly boolean[],
): boolean[] {
  let at = 0
  return signed.map(({ signatures }) => {
    const own = verdicts.slice(at, at + signatures.length)
    at += signatures.length
    return own.length > 0 && own.length === signatures.length && own.every((one) => one === true)
  })
}
