/** Owns the list of payments: claims of messages with their transfers, read from blocks by the index of activity. */

import type { Page } from '../../../api/paging.js'
import type { QueryRun } from '../../../executor/reads.js'
import { claimedPayment } from '../../iso20022/schema/claimed.js'
import { instructions as iso } from '../../iso20022/schema/instructions.js'
import type { PaymentItem, PaymentsQuery } from '../schema/payments.js'
import { type Placed, pageOfHistory } from './history.js'

const errorNameOf = (errorName: (code: number) => string | undefined, code: number): string =>
  errorName(code) ?? String(code)

function paymentOf(
  { height, index, block, signed, result }: Placed,
  errorName: (code: number) => string | undefined,
): PaymentItem | undefined {
  const found = claimedPayment(signed.payload.value, result.outcome)
  if (found === undefined) return undefined
  const { claim, transfer, code } = found
  return {
    messageId: claim.messageId,
    family: claim.family,
    submitter: claim.submitter,
    source: transfer.asset.account,
    target: transfer.to,
    definition: transfer.asset.definition,
    amount: transfer.amount,
    currency: claim.details.currency,
    endToEndId: claim.details.endToEndId,
    outcome: code === undefined ? 'approved' : 'rejected',
    rejection: code === undefined ? undefined : errorNameOf(errorName, code),
    transactionHash: result.transactionId,
    height,
    index,
    timeMs: block.header.timeMs,
  }
}

/** Newest first. A page looks at a bounded number of blocks: payments of somebody who has few go on at its cursor. */
export const paymentsQuery: QueryRun<PaymentsQuery, Page<PaymentItem>> = (ctx, { submitter, account, ...page }) => {
  const asked = { ...page, kind: iso.claimMessage.kind, authority: undefined, definition: undefined }
  return pageOfHistory(ctx, { ...asked, outcome: undefined, block: undefined }, (placed) => {
    const item = paymentOf(placed, ctx.errorName)
    if (item === undefined || (submitter !== undefined && item.submitter !== submitter)) return []
    if (account !== undefined && item.source !== account && item.target !== account) return []
    return [[[placed.height, placed.index], item]] as const
  })
}
