/**
 * Owns verification of the response to a submission: the transaction id is computed locally, and the receipt is checked
 * against it.
 */
import { bytes, list, option, struct } from '../codec/index.js'
import { verifyEd25519 } from '../crypto/index.js'
import {
  keyBytes,
  LedgerError,
  multisigPolicy,
  type Receipt,
  receiptSignBytes,
  SIGNATURES_MAX,
  TRANSACTION_MAX_BYTES,
  transactionId,
  transactionSignature,
} from '../model/index.js'
import { notAGateway } from './decoded.js'

/** Signed record with an undecoded payload: its id does not depend on the instructions. */
export const opaqueTransaction = struct('OpaqueTransaction', {
  payload: bytes(TRANSACTION_MAX_BYTES),
  signatures: list(transactionSignature, SIGNATURES_MAX),
  policy: option(multisigPolicy),
})

/**
 * Id of the transaction in the canonical bytes of a signed record. Throws the error of the codec for any other bytes.
 */
export function idOfSigned(signedBytes: Uint8Array): Buffer {
  const record = opaqueTransaction.decode(signedBytes)
  if (record.ok) return transactionId(record.value.payload)
  throw new LedgerError(record.fault.code, `the signed transaction: ${record.fault.message}`)
}

/** Throw `not_a_gateway` unless a node signed that it accepted the transaction with this id. */
export function checkReceipt(receipt: Receipt, id: Uint8Array): void {
  const hash = Buffer.from(id).toString('hex')
  if (!Buffer.from(receipt.transactionHash).equals(id)) {
    throw notAGateway('the receipt is for another transaction', { hash })
  }
  if (!verifyEd25519(keyBytes(receipt.signer), receiptSignBytes(receipt), receipt.signature)) {
    throw notAGateway('the signature of the receipt is invalid', { hash })
  }
}
