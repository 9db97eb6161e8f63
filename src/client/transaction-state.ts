/** Owns parsing of a gateway's response about a transaction. */
import { type PipelinePayment, type PipelineRejection, transactionStatusRecord } from '../api/index.js'
import { definedFields } from '../base/defined-fields.js'
import { decodedValue, notAGateway } from './decoded.js'
import type { SharedPaymentState, TransactionState } from './wait.js'

/** Status of the transaction with this id in a response. Throws `not_a_gateway` if it is about another transaction. */
export function stateOf(answer: Uint8Array, hashHex: string): TransactionState {
  const { hash, status, rejection, payments } = decodedValue(transactionStatusRecord.parseJson(answer)).content
  if (!Buffer.from(hash).equals(Buffer.from(hashHex, 'hex'))) {
    throw notAGateway('the response is about another transaction', { hash: hashHex })
  }
  const { kind, blockHeight, blockHash, index } = status
  return definedFields({
    state: kind === 'queued' || kind === 'rejected' || kind === 'expired' ? kind : 'approved',
    height: blockHeight,
    blockHash,
    index,
    rejection: rejection === undefined ? undefined : rejectionOf(rejection),
    payments: payments?.map(paymentOf),
  })
}

function rejectionOf({ supersededBy, ...rejection }: PipelineRejection): NonNullable<TransactionState['rejection']> {
  if (supersededBy === undefined) return rejection
  return { ...rejection, supersededBy: Buffer.from(supersededBy).toString('hex') }
}

const paymentOf = ({ code, supersededBy, ...payment }: PipelinePayment): SharedPaymentState => ({
  ...payment,
  ...(code === undefined ? {} : { code }),
  ...(supersededBy === undefined ? {} : { supersededBy: Buffer.from(supersededBy).toString('hex') }),
})
