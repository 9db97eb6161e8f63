/** Owns the submission of transactions and their dry runs (docs/design/gateway.md 4). */

import {
  DATASPACE_HEADER,
  dryRunRoute,
  handle,
  LANE_HEADER,
  submitTransactionRoute,
  TRANSACTION_STATUS_PATH,
} from '../../api/index.js'
import type { NodeServices } from '../../api/services.js'
import { toHex } from '../../codec/index.js'
import { LedgerError, type TransactionPayload } from '../../model/index.js'

type Input<B> = { readonly services: NodeServices; readonly body: B }

export const transactionHandlers = [
  handle(submitTransactionRoute, async ({ services, body }: Input<Uint8Array>) => {
    const submitted = await services.submit(body)
    if (!submitted.ok) return submitted.error
    const { receipt, lane, dataspace } = submitted
    return {
      value: receipt,
      submission: { transactionHash: receipt.transactionHash },
      headers: {
        [LANE_HEADER]: String(lane),
        [DATASPACE_HEADER]: String(dataspace),
        location: `${TRANSACTION_STATUS_PATH}?hash=${toHex(receipt.transactionHash)}`,
      },
    }
  }),
  handle(dryRunRoute, async ({ services, body }: Input<TransactionPayload>) => {
    const found = await services.dryRun(body)
    return found instanceof LedgerError ? found : { value: found }
  }),
]
