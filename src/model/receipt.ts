/** Owns the submission receipt that a node signs for an admitted transaction (docs/design/gateway.md 4). */
import { bytesN, hash32, type Infer, struct, varint } from '../codec/index.js'
import { hash } from '../crypto/index.js'
import { networkKey } from './keys.js'

const receiptBody_ = struct('ReceiptBody', {
  transactionHash: hash32,
  submittedAtMs: varint,
  submittedAtHeight: varint,
  signer: networkKey,
})
/** Signed statement of a node that it admitted and logged a transaction; usable as evidence of censorship. */
export interface Receipt extends Infer<typeof receipt> {}
export const receipt = struct('Receipt', {
  transactionHash: hash32,
  submittedAtMs: varint,
  submittedAtHeight: varint,
  signer: networkKey,
  /** Ed25519 by the node's network key over `receiptSignBytes`. */
  signature: bytesN(64),
})

/** Bytes signed by a receipt. */
export const receiptSignBytes = (body: Omit<Receipt, 'signature'>): Buffer => hash('receipt', receiptBody_.encode(body))
