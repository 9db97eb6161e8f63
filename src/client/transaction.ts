/** Owns building and signing of transactions on the client: payload, id, signature. The secret never leaves this machine. */
import { randomInt } from 'node:crypto'
import { type CodecContext, lazyOf } from '../codec/index.js'
import { isKeyPair, type SigningKey, signEd25519 } from '../crypto/index.js'
import {
  type AccountId,
  accountKeyOf,
  expiresAtMs,
  type Instruction,
  LedgerError,
  type Metadata,
  type MultisigPolicy,
  NO_METADATA,
  signedTransaction,
  type TransactionPayload,
  type TransactionSignature,
  transactionId,
  transactionPayload,
} from '../model/index.js'

/** Default lifetime of a transaction, in ms: covers retries, and is below the chain's default maximum. */
export const DEFAULT_TTL_MS = 120_000

/** Content of a transaction. */
export interface TransactionInput {
  readonly chain: string
  readonly authority: AccountId
  readonly instructions: readonly Instruction[]
  readonly ttlMs?: number | undefined
  /** Nonce that distinguishes otherwise equal transactions; absent: random. */
  readonly nonce?: number | undefined
  readonly metadata?: Metadata | undefined
  readonly dataspace?: bigint | undefined
  /** Creation time in ms since the Unix epoch; absent: now. */
  readonly nowMs?: number | undefined
  /** Registries and address prefix of the chain: `clientCodec(prefix)`. */
  readonly codec: CodecContext
}

/** Unsigned transaction. */
export interface TransactionDraft {
  readonly payload: TransactionPayload
  /** Canonical bytes of the payload. */
  readonly payloadBytes: Buffer
  /** Transaction id: the signed hash, contained in receipts and states. */
  readonly id: Buffer
  readonly codec: CodecContext
}

/** Build a transaction. Throws an Error if an instruction does not match its schema. */
export function buildTransaction(input: TransactionInput): TransactionDraft {
  const payload: TransactionPayload = {
    chain: input.chain,
    authority: input.authority,
    createdAtMs: input.nowMs ?? Date.now(),
    ttlMs: input.ttlMs ?? DEFAULT_TTL_MS,
    nonce: input.nonce ?? randomInt(1, 2 ** 32),
    executable: { kind: 'instructions', value: input.instructions },
    metadata: input.metadata ?? NO_METADATA,
    dataspace: input.dataspace,
  }
  const payloadBytes = transactionPayload.encode(payload, input.codec)
  return { payload, payloadBytes, id: transactionId(payloadBytes), codec: input.codec }
}

/**
 * Signature of a key over a message: Ed25519, or ECDSA over SHA-256 for secp256k1; an external key is requested to
 * sign.
 */
export async function signMessage(pair: SigningKey, message: Uint8Array): Promise<Buffer> {
  if (!isKeyPair(pair)) return pair.sign(message)
  switch (pair.publicKey.algorithm) {
    case 'ed25519':
      return signEd25519(pair.secret, message)
    case 'secp256k1': {
      // Loads a curve library, so only when needed.
      const { signSecp256k1 } = await import('../crypto/secp256k1-sign.js')
      return signSecp256k1(pair.secret, message)
    }
    case 'bls':
      throw new LedgerError('signature_algorithm_denied', 'accounts sign with Ed25519 or secp256k1 keys')
  }
}

/** Signed transaction: its id, and the canonical bytes of the signed record. */
export interface SignedBytes {
  readonly id: Buffer
  readonly bytes: Buffer
  /** Expiry, in ms since the Unix epoch. */
  readonly expiresAtMs: number
}

/** Sign a draft with the key of its authority. Throws `signature_algorithm_denied` for a BLS key. */
export async function signTransaction(draft: TransactionDraft, pair: SigningKey): Promise<SignedBytes> {
  const signature = await signMessage(pair, draft.id)
  const { algorithm, bytes: key } = pair.publicKey
  if (algorithm === 'bls') throw new LedgerError('signature_algorithm_denied', 'BLS keys do not sign for accounts')
  const bytes = signedTransaction.encode(
    {
      payload: lazyOf(transactionPayload, draft.payload, draft.codec),
      signatures: [{ publicKey: accountKeyOf(algorithm, key), signature }],
      policy: undefined,
    },
    draft.codec,
  )
  return { id: draft.id, bytes, expiresAtMs: expiresAtMs(draft.payload) }
}

/** Add the signature of one member to a draft of a multisig account; the ledger requires the quorum of the policy. */
export async function signAsMember(draft: TransactionDraft, pair: SigningKey): Promise<TransactionSignature> {
  const { algorithm, bytes } = pair.publicKey
  if (algorithm === 'bls') throw new LedgerError('signature_algorithm_denied', 'BLS keys do not sign for accounts')
  return { publicKey: accountKeyOf(algorithm, bytes), signature: await signMessage(pair, draft.id) }
}

/** Signed record of a multisig account: signatures of members that together reach the quorum of its policy. */
export function sealMultisig(
  draft: TransactionDraft,
  signatures: readonly TransactionSignature[],
  policy: MultisigPolicy,
): SignedBytes {
  const payload = lazyOf(transactionPayload, draft.payload, draft.codec)
  const bytes = signedTransaction.encode({ payload, signatures, policy }, draft.codec)
  return { id: draft.id, bytes, expiresAtMs: expiresAtMs(draft.payload) }
}
