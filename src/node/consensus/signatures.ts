/**
 * Owns the backend of consensus signatures: checks and aggregates of the state machine over the crypto service, and the
 * slices in which the signatures of a block are verified.
 */
import { type EffectOf, type SignatureCheck, verifyAll } from '../../consensus/index.js'
import type { CryptoService } from '../../crypto/index.js'
import { signatureWeight } from '../../executor/index.js'
import { keyBytes } from '../../model/index.js'
import type { SignedSlice } from '../ledger/slices.js'

/** Number of block signatures verified in one request, in units of Ed25519; they take 13 ms, which can delay a vote. */
const SIGNATURES_TOGETHER = 256

/** Signature check requested by the ledger. */
export type SameCheck = Omit<Extract<SignatureCheck, { kind: 'same' }>, 'kind'>

/**
 * True if every signer of these checks signed its message: all signatures are aggregated and verified at once, with one
 * pairing per message. Keys have proofs of possession, so a valid aggregate implies valid signatures; it cannot
 * identify an invalid one.
 */
export async function verifyTogether(crypto: CryptoService, checks: readonly SameCheck[]): Promise<boolean> {
  if (checks.length === 0) return true
  const sum = await crypto.blsAggregate(checks.map((check) => check.signature))
  if (sum === undefined) return false
  const groups = checks.map((check) => ({ publicKeys: check.keys.map(keyBytes), message: check.message }))
  return (await crypto.blsVerifyMulti(groups, sum)) === true
}

/** True if all signatures that evidence depends on are valid. */
export const verifyEvidence = (crypto: CryptoService, checks: readonly SameCheck[]): Promise<boolean> =>
  verifyAll(
    crypto,
    checks.map((check) => ({ kind: 'same', ...check })),
  )

/** Aggregate and verify once; if that fails, verify each signature, which identifies the invalid ones. */
export async function aggregate(
  crypto: CryptoService,
  effect: EffectOf<'aggregate'>,
): Promise<{ readonly aggregate: Uint8Array | undefined; readonly bad: readonly number[] }> {
  const { verify, signatures } = effect
  if (verify === undefined) return { aggregate: await crypto.blsAggregate(signatures), bad: [] }
  const sum = await crypto.blsAggregateVerified(signatures, verify.keys.map(keyBytes), verify.message)
  if (sum !== undefined) return { aggregate: sum, bad: [] }
  const results = await Promise.all(
    signatures.map((signature, at) => crypto.blsVerify(keyBytes(verify.keys[at] ?? ''), verify.message, signature)),
  )
  return { aggregate: undefined, bad: results.flatMap((ok, at) => (ok ? [] : [at])) }
}

/** Number of transactions from a position on that are verified in one request, at least one. */
export function signedTogether(slices: readonly SignedSlice[], from: number): number {
  let weight = 0
  let count = 0
  for (let at = from; at < slices.length; at += 1) {
    weight += signatureWeight((slices[at] as SignedSlice).signed)
    if (count > 0 && weight > SIGNATURES_TOGETHER) break
    count += 1
  }
  return count
}
