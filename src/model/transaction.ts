/** Owns the transaction: payload, signed record and its two hashes (docs/design/ledger.md 4). */
import {
  bytes,
  type CodecContext,
  type Decoded,
  decodeWith,
  enumOf,
  type Infer,
  lazy,
  lazyOf,
  list,
  open,
  option,
  type Schema,
  struct,
  u32,
  varint,
  varintBig,
} from '../codec/index.js'
import { hash } from '../crypto/index.js'
import { accountId } from './address.js'
import { type AccountKey, accountKey } from './keys.js'
import { INSTRUCTIONS_MAX, SIGNATURES_MAX } from './limits.js'
import { transactionMetadata } from './metadata.js'
import { multisigPolicy } from './multisig.js'
import { chainId } from './names.js'

/** Instruction of the active ABI: `kind` is its name in the registry, `value` its record. */
export interface Instruction {
  readonly kind: string
  readonly value: unknown
}

/** Name of the open registry that resolves instructions. */
export const INSTRUCTION_REGISTRY = 'instruction'
/** Any instruction of the registry. */
export const anyInstruction: Schema<Instruction> = open(INSTRUCTION_REGISTRY)

/** Content of a transaction. Append only: contract calls get the next tag. */
export const executable = enumOf('Executable', { instructions: [0, list(anyInstruction, INSTRUCTIONS_MAX)] })

/** Leading fields of a payload, which can be read at a cost independent of the rest. */
const headFields = { chain: chainId, authority: accountId, createdAtMs: varint, ttlMs: varint }
const transactionHead_ = struct('TransactionHead', headFields)
/** Sender, chain and time to live of a transaction. */
export type TransactionHead = Pick<TransactionPayload, 'chain' | 'authority' | 'createdAtMs' | 'ttlMs'>

/** Content signed by the authority. Times are milliseconds since the Unix epoch. */
export interface TransactionPayload extends Infer<typeof transactionPayload> {}
export const transactionPayload = struct('TransactionPayload', {
  ...headFields,
  /** Distinguishes otherwise equal payloads; not sequential. */
  nonce: option(u32),
  executable,
  metadata: transactionMetadata,
  /** Dataspace hint for the lane router; binding if present. */
  dataspace: option(varintBig),
})

/** One signature over the transaction id. */
export interface TransactionSignature extends Infer<typeof transactionSignature> {}
export const transactionSignature = struct('TransactionSignature', { publicKey: accountKey, signature: bytes(64) })

const signatures_ = list(transactionSignature, SIGNATURES_MAX)
const policy_ = option(multisigPolicy)
/** Payload and signatures, as sent and as stored in blocks. */
export interface SignedTransaction extends Infer<typeof signedTransaction> {}
export const signedTransaction = struct('SignedTransaction', {
  payload: lazy(transactionPayload),
  signatures: signatures_,
  /** Weight rules of a multisig authority on the ledger; absent for a single key. */
  policy: policy_,
})

/**
 * Signed transaction of which only the head of the payload was decoded; its instructions and metadata are unchecked
 * bytes.
 */
export interface TransactionEnvelope extends Omit<SignedTransaction, 'payload'> {
  readonly payload: { readonly bytes: Uint8Array; readonly value: TransactionHead }
}

/** Open the record of a signed transaction at a cost independent of its content. */
export const openEnvelope = (record: Uint8Array): Decoded<TransactionEnvelope> =>
  decodeWith(record, (reader) => {
    const outer = reader.beginBody()
    const start = reader.pos
    const value = transactionHead_.read(reader)
    reader.skip(reader.end - reader.pos)
    reader.endBody(outer)
    const payload = { bytes: reader.buf.subarray(start, reader.pos), value }
    return { payload, signatures: signatures_.read(reader), policy: policy_.read(reader) }
  })

/**
 * Transaction id: hash of the payload bytes, used for receipts, deduplication and display; it is also the signed
 * message.
 */
export const transactionId = (payloadBytes: Uint8Array): Buffer => hash('tx', payloadBytes)

/** Hash of the signed record, used in Merkle leaves, compact proposals and the verified-once cache. */
export const signedHash = (signedBytes: Uint8Array): Buffer => hash('signed-tx', signedBytes)

/** Time after which a block must not include the transaction, in ms since the Unix epoch. */
export const expiresAtMs = (payload: Pick<TransactionPayload, 'createdAtMs' | 'ttlMs'>): number =>
  payload.createdAtMs + payload.ttlMs

/** Encode a payload and sign it with a single key; `sign` signs the transaction id. */
export function sealTransaction(
  payload: TransactionPayload,
  codec: CodecContext,
  publicKey: AccountKey,
  sign: (id: Uint8Array) => Uint8Array,
): { readonly id: Buffer; readonly bytes: Buffer } {
  const sealed = lazyOf(transactionPayload, payload, codec)
  const id = transactionId(sealed.bytes)
  const signed: SignedTransaction = {
    payload: sealed,
    signatures: [{ publicKey, signature: sign(id) }],
    policy: undefined,
  }
  return { id, bytes: signedTransaction.encode(signed, codec) }
}
