/** Owns the submission of transactions and the answer to where they stand (docs/design/gateway.md 4). */

import {
  DATASPACE_HEADER,
  dryRunRoute,
  handle,
  LANE_HEADER,
  type PipelineContent,
  type PipelineKind,
  type PipelineQuery,
  type PipelineRejection,
  type PipelineScope,
  submitTransactionRoute,
  transactionStatusRoute,
} from '../../api/index.js'
import type { NodeServices } from '../../api/services.js'
import { toHex } from '../../codec/index.js'
import type { TransactionView } from '../../features/explorer/schema/history.js'
import * as queries from '../../features/explorer/schema/queries.js'
import { ERRORS, isErrorCode, LedgerError, type TransactionPayload } from '../../model/index.js'

type Input<Q = undefined, B = undefined> = {
  readonly services: NodeServices
  readonly query: Q
  readonly body: B
}

/** Why a committed transaction changed nothing: blocks keep the code and the place; the node that executed it, the words. */
function rejectionOf(view: TransactionView): PipelineRejection {
  const { rejection: code = 'unknown', rejectionText, outcome, supersededBy } = view
  const instruction = outcome.kind === 'rejected' ? outcome.value.instruction : undefined
  const means = rejectionText ?? (isErrorCode(code) ? clauseOf(ERRORS[code].means) : `refused with ${code}`)
  const message = instruction === undefined ? means : `instruction ${instruction}: ${means}`
  return { code, instruction, message, supersededBy }
}

/** A sentence as what follows a colon. */
const clauseOf = (sentence: string): string =>
  `${sentence.charAt(0).toLowerCase()}${sentence.slice(1).replace(/\.$/, '')}`

function committed(view: TransactionView, scope: PipelineScope): PipelineContent {
  const rejected = view.outcome.kind === 'rejected'
  return {
    hash: view.hash,
    status: {
      kind: rejected ? 'rejected' : 'applied',
      blockHeight: view.height,
      blockHash: view.blockHash,
      index: view.index,
    },
    rejection: rejected ? rejectionOf(view) : undefined,
    scope,
    resolvedFrom: 'state',
    queue: undefined,
  }
}

const pending = (hash: Uint8Array, kind: PipelineKind, scope: PipelineScope): PipelineContent => ({
  hash,
  status: { kind, blockHeight: undefined, blockHash: undefined, index: undefined },
  rejection: undefined,
  scope,
  resolvedFrom: 'queue',
  queue: undefined,
})

/** Where a transaction stands; undefined: never heard of. */
async function standing(
  services: NodeServices,
  hash: Uint8Array,
  scope: PipelineScope,
  place: boolean,
): Promise<PipelineContent | undefined> {
  // The queue first: what leaves it while we ask is in the state by then.
  const waiting = services.pending(hash).kind
  if (waiting === 'queued') {
    return { ...pending(hash, 'queued', scope), queue: place ? services.queuePlace(hash) : undefined }
  }
  const view = await services.query(queries.transaction, { hash })
  if (view !== undefined) return committed(view, scope)
  return waiting === 'expired' ? pending(hash, 'expired', scope) : undefined
}

export const transactionHandlers = [
  handle(submitTransactionRoute, async ({ services, body }: Input<undefined, Uint8Array>) => {
    const submitted = await services.submit(body)
    if (!submitted.ok) return submitted.error
    const { receipt, lane, dataspace } = submitted
    return {
      value: receipt,
      headers: {
        [LANE_HEADER]: String(lane),
        [DATASPACE_HEADER]: String(dataspace),
        location: `${transactionStatusRoute.path}?hash=${toHex(receipt.transactionHash)}`,
      },
    }
  }),
  handle(dryRunRoute, async ({ services, body }: Input<undefined, TransactionPayload>) => {
    const found = await services.dryRun(body)
    return found instanceof LedgerError ? found : { value: found }
  }),
  handle(transactionStatusRoute, async ({ services, query }: Input<PipelineQuery>) => {
    const { hash, scope = 'auto', place } = query
    const content = await standing(services, hash, scope, place === true)
    return content === undefined
      ? new LedgerError('not_found', 'no transaction with this hash is queued, committed or recently expired here')
      : { value: { kind: 'transaction', content } }
  }),
]
