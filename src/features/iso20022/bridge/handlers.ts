/** Owns the handlers of the bridge's routes. */
import { type AnyHandler, type Caller, type HandlerReply, handle } from '../../../api/handler.js'
import type { Submission } from '../../../api/request-trace.js'
import type { NodeServices } from '../../../api/services.js'
import { formatAddress, LedgerError } from '../../../model/index.js'
import * as routes from '../schema/routes.js'
import type { IsoPaymentPage, IsoRecordView } from '../schema/views.js'
import type { BridgeContext } from './context.js'
import { changeHeld, listHeld, refuseHeld, releaseHeld } from './held.js'
import type { Sources } from './stages/reconcile.js'
import { type BridgeAnswer, messagePayments, messageStatus } from './status.js'
import { submitMessage } from './submission.js'

type Answer = HandlerReply<IsoRecordView> | LedgerError
type Handlers = ReadonlyMap<string, AnyHandler<NodeServices>>

/** Submission that resulted from a message; undefined if this request moved no funds. */
function submissionOf({ transactionHash, messageId, replayed }: IsoRecordView): Submission | undefined {
  return replayed || transactionHash === undefined ? undefined : { transactionHash, messageId }
}

/** Response to a submission: 202 for a new message, 200 for one that was decided before. */
function submitted(answer: BridgeAnswer): Answer {
  if (answer instanceof LedgerError) return answer
  return { status: answer.replayed ? 200 : 202, value: answer, submission: submissionOf(answer) }
}

/** Response to a decision of an operator, which may have sent a held message. */
const decided = (answer: BridgeAnswer): Answer =>
  answer instanceof LedgerError ? answer : { value: answer, submission: submissionOf(answer) }

/** Bridge for one request; its queries get a fair share of the ledger among all callers. */
const forRequest = <C extends Pick<BridgeContext, 'services'>>(
  context: C,
  { services }: Pick<BridgeContext, 'services'>,
): C => ({ ...context, services })

/** Handlers of every node, by route id: the status of messages. Without a bridge, only messages in blocks are known. */
export function statusHandlers(context: Sources & Pick<BridgeContext, 'anonymousSubmitter'>): Handlers {
  return new Map<string, AnyHandler<NodeServices>>([
    handle(routes.isoStatus, async (request): Promise<Answer> => {
      const { params, query, caller } = request
      const answer = await messageStatus(forRequest(context, request), params.msgId, caller, query)
      return answer instanceof LedgerError ? answer : { value: answer }
    }),
    handle(routes.isoTransactions, async (request): Promise<HandlerReply<IsoPaymentPage> | LedgerError> => {
      const { params, query, caller } = request
      const answer = await messagePayments(forRequest(context, request), params.msgId, caller, query)
      return answer instanceof LedgerError ? answer : { value: answer }
    }),
  ])
}

/** Handlers of a node with a bridge, by route id. */
export function bridgeHandlers(context: BridgeContext): Handlers {
  // Requests of operators are signed, so there is an account; the audit log records its address.
  const nameOf = ({ account }: Caller): string =>
    account === undefined ? 'operator' : formatAddress(account, context.services.info.addressPrefix)
  return new Map<string, AnyHandler<NodeServices>>([
    ...statusHandlers(context),
    handle(routes.isoPacs008, async (request) =>
      submitted(await submitMessage(forRequest(context, request), 'pacs008', request.body, request.caller)),
    ),
    handle(routes.isoPacs009, async (request) =>
      submitted(await submitMessage(forRequest(context, request), 'pacs009', request.body, request.caller)),
    ),
    handle(routes.isoHeld, async (request) => ({ value: await listHeld(forRequest(context, request)) })),
    handle(routes.isoRelease, async (request) => {
      const { params, body, caller } = request
      return decided(await releaseHeld(forRequest(context, request), params.msgId, body, nameOf(caller)))
    }),
    handle(routes.isoRefuse, async (request) => {
      const { params, body, caller } = request
      return decided(await refuseHeld(forRequest(context, request), params.msgId, body, nameOf(caller)))
    }),
    handle(routes.isoChange, async (request) => {
      const { params, body, caller } = request
      return decided(await changeHeld(forRequest(context, request), params.msgId, body, nameOf(caller)))
    }),
  ])
}
