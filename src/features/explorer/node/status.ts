/** Owns the status of a transaction: in the queue of this node, in a block, or expired (docs/design/gateway.md 4). */

import type {
  PipelineContent,
  PipelineKind,
  PipelinePayment,
  PipelineQuery,
  PipelineRejection,
  PipelineScope,
} from '../../../api/index.js'
import type { NodeServices } from '../../../api/services.js'
import { sameBytes } from '../../../base/bytes.js'
import { ERRORS, isErrorCode, LedgerError, rejectionOf } from '../../../model/index.js'
import { queries as isoQueries } from '../../iso20022/schema/queries.js'
import type { SharedPayment, TransactionView } from '../schema/history.js'
import { queries } from '../schema/queries.js'

/**
 * Reason why a committed transaction changed nothing. Blocks store the code and the index; only the node that executed
 * the block also has the text.
 */
function rejectionShown(view: TransactionView): PipelineRejection {
  const { rejection: code = 'unknown', rejectionText, outcome, supersededBy } = view
  const instruction = rejectionOf(outcome)?.instruction
  const means = rejectionText ?? (isErrorCode(code) ? clauseOf(ERRORS[code].means) : `refused with ${code}`)
  const message = instruction === undefined ? means : `instruction ${instruction}: ${means}`
  return { code, instruction, message, supersededBy }
}

/** Sentence rewritten as a clause that follows a colon. */
const clauseOf = (sentence: string): string =>
  `${sentence.charAt(0).toLowerCase()}${sentence.slice(1).replace(/\.$/, '')}`

/** Payment of a transaction; if it repeats an earlier payment, with the transaction of that payment. */
async function paymentShown(
  services: NodeServices,
  { messageId, family, submitter, bodyHash, place, code }: SharedPayment,
): Promise<PipelinePayment> {
  const repeated =
    code !== undefined && isErrorCode(code) && ERRORS[code].repeats === true
      ? (await services.query(isoQueries.isoMessages, { messageId, submitter }))?.items.find(
          (one) => one.family === family && one.rejection === undefined && sameBytes(one.bodyHash, bodyHash),
        )
      : undefined
  const outcome = code === undefined ? 'settled' : 'rejected'
  return { messageId, family, submitter, place, outcome, code, supersededBy: repeated?.transactionHash }
}

function committed(view: TransactionView, payments: readonly PipelinePayment[], scope: PipelineScope): PipelineContent {
  const rejected = rejectionOf(view.outcome) !== undefined
  return {
    hash: view.hash,
    status: {
      kind: rejected ? 'rejected' : 'applied',
      blockHeight: view.height,
      blockHash: view.blockHash,
      index: view.index,
    },
    rejection: rejected ? rejectionShown(view) : undefined,
    payments: payments.length > 0 ? payments : undefined,
    scope,
    resolvedFrom: 'state',
    queue: undefined,
  }
}

const pending = (hash: Uint8Array, kind: PipelineKind, scope: PipelineScope): PipelineContent => ({
  hash,
  status: { kind, blockHeight: undefined, blockHash: undefined, index: undefined },
  rejection: undefined,
  payments: undefined,
  scope,
  resolvedFrom: 'queue',
  queue: undefined,
})

/** State of a transaction; undefined if unknown. */
async function standing(
  services: NodeServices,
  hash: Uint8Array,
  scope: PipelineScope,
  place: boolean,
): Promise<PipelineContent | undefined> {
  // The queue first: a transaction that leaves it meanwhile is in the state by then.
  const waiting = services.pending(hash).kind
  if (waiting === 'queued') {
    return { ...pending(hash, 'queued', scope), queue: place ? services.queuePlace(hash) : undefined }
  }
  const view = await services.query(queries.transaction, { hash })
  if (view !== undefined) {
    const payments = await Promise.all(view.payments.map((one) => paymentShown(services, one)))
    return committed(view, payments, scope)
  }
  return waiting === 'expired' ? pending(hash, 'expired', scope) : undefined
}

export async function transactionStatus({
  services,
  query,
}: {
  readonly services: NodeServices
  readonly query: PipelineQuery
}) {
  const { hash, scope = 'auto', place } = query
  const content = await standing(services, hash, scope, place === true)
  if (content !== undefined) return { value: { kind: 'transaction', content } as const }
  // If this node lacks blocks, this throws the first height that it has.
  await services.query(queries.transactionDetail, { hash })
  return new LedgerError(
    'not_found',
    'this node has no queued, committed or recently expired transaction with this hash',
  )
}
