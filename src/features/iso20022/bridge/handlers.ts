/** Owns the handlers of the bridge's routes. */
import { type AnyHandler, type Caller, type HandlerReply, handle } from '../../../api/handler.js'
import type { Submission } from '../../../api/request-trace.js'
import type { NodeServices } from '../../../api/services.js'
import { formatAddress, LedgerError } from '../../../model/index.js'
import * as routes from '../schema/routes.js'
import type { IsoRecordView } from '../schema/views.js'
import type { BridgeContext } from './context.js'
import { changeHeld, listHeld, refuseHeld, releaseHeld } from './held.js'
import type { Sources } from './stages/reconcile.js'
import { type BridgeAnswer, messageStatus } from './status.js'
import { submitMessage } from './submission.js'

type Answer = HandlerReply<IsoRecordView> | LedgerError
type Handlers = ReadonlyMap<string, AnyHandler<NodeServices>>

/** The transaction that a message became; undefined for a message that moved nothing now. */
function submissionOf({ transactionHash, messageId, replayed }: IsoRecordView): { submission?: Submission } {
  return replayed || transactionHash === undefined ? {} : { submission: { transactionHash, messageId } }
}

/** 202 for a message taken now, 200 for one that was decided before. */
function submitted(answer: BridgeAnswer): Answer {
  if (answer instanceof LedgerError) return answer
  return { status: answer.replayed ? 200 : 202, value: answer, ...submissionOf(answer) }
}

/** What an operator decided, which may have sent a held message on. */
const decided = (answer: BridgeAnswer): Answer =>
  answer instanceof LedgerError ? answer : { value: answer, ...submissionOf(answer) }

/** What every node answers, by route id: the status of messages, of which the ledger knows those in blocks. */
export function statusHandlers(context: Sources & Pick<BridgeContext, 'anonymousSubmitter'>): Handlers {
  return new Map([
    handle(routes.isoStatus, async ({ params, query, caller }): Promise<Answer> => {
      const answer = await messageStatus(context, params.msgId, caller, query)
      return answer instanceof LedgerError ? answer : { value: answer }
    }),
  ])
}

/** What a node with a bridge answers, by route id. */
export function bridgeHandlers(context: BridgeContext): Handlers {
  // An operator signs, so there is an account; its address is what the audit log names.
  const nameOf = ({ account }: Caller): string =>
    account === undefined ? 'operator' : formatAddress(account, context.services.info.addressPrefix)
  return new Map<string, AnyHandler<NodeServices>>([
    ...statusHandlers(context),
    handle(routes.isoPacs008, async ({ body, caller }) =>
      submitted(await submitMessage(context, 'pacs008', body, caller)),
    ),
    handle(routes.isoPacs009, async ({ body, caller }) =>
      submitted(await submitMessage(context, 'pacs009', body, caller)),
    ),
    handle(routes.isoHeld, async () => ({ value: await listHeld(context) })),
    handle(routes.isoRelease, async ({ params, body, caller }) =>
      decided(await releaseHeld(context, params.msgId, body, nameOf(caller))),
    ),
    handle(routes.isoRefuse, async ({ params, body, caller }) =>
      decided(await refuseHeld(context, params.msgId, body, nameOf(caller))),
    ),
    handle(routes.isoChange, async ({ params, body, caller }) =>
      decided(await changeHeld(context, params.msgId, body, nameOf(caller))),
    ),
  ])
}
