/** Owns the handlers of the bridge's routes. */
import { type AnyHandler, type HandlerReply, handle } from '../../../api/handler.js'
import { LedgerError } from '../../../model/index.js'
import type { NodeServices } from '../../services.js'
import { isoPacs008, isoPacs009, isoStatus } from '../schema/routes.js'
import type { IsoRecordView } from '../schema/views.js'
import type { IsoBridge } from './service.js'

/** 202 for a message taken now, 200 for one that was decided before. */
function reply(answer: IsoRecordView | LedgerError): HandlerReply<IsoRecordView> | LedgerError {
  if (answer instanceof LedgerError) return answer
  return { status: answer.replayed ? 200 : 202, value: answer }
}

/** Handlers by route id. */
export const isoHandlers = (bridge: IsoBridge): ReadonlyMap<string, AnyHandler<NodeServices>> =>
  new Map<string, AnyHandler<NodeServices>>([
    handle(isoPacs008, async ({ body, caller }) => reply(await bridge.submit('pacs008', body, caller))),
    handle(isoPacs009, async ({ body, caller }) => reply(await bridge.submit('pacs009', body, caller))),
    handle(isoStatus, async ({ params, query, caller }) => {
      const answer = await bridge.status(params.msgId, caller.account, query)
      return answer instanceof LedgerError ? answer : { value: answer }
    }),
  ])
