/** Owns the submission receipt that a node signs for an admitted transaction (docs/design/gateway.md 4). */
import { bytesN, hash32, type Schema, struct, varint } from '../codec/index.js'
import { hash } from '../crypto/index.js'
import { type NetworkKey, networkKey } from './keys.js'

/** A node's signed word that it admitted and logged a transaction; usable as evidence of censorship. */
export interface Receipt {
  readonly transactionHash: Uint8Array
  readonly submittedAtMs: number
  readonly submittedAtHeight: number
  readonly signer: NetworkKey
  /** Ed25519 by the node's network key over `receiptSignBytes`. */
  readonly signature: Uint8Array
}
const receiptBody_ = struct('ReceiptBody', {
  transactionHash: hash32,
  submittedAtMs: varint,
  submittedAtHeight: varint,
  signer: networkKey,
})
const receipt_ = struct('Receipt', {
  transactionHash: hash32,
  submittedAtMs: varint,
  submittedAtHeight: varint,
  signer: networkKey,
  signature: bytesN(64),
})
export const receipt: Schema<Receipt> = receipt_

/** The bytes under a receipt's signature. */
export const receiptSignBytes = (body: Omit<Receipt, 'signature'>): Buffer => hash('receipt', receiptBody_.encode(body))
