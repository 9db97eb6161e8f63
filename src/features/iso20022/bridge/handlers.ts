/** Owns the handlers of the bridge's routes. */
import { type AnyHandler, type Caller, type HandlerReply, handle } from '../../../api/handler.js'
import type { NodeServices } from '../../../api/services.js'
import { formatAddress, LedgerError } from '../../../model/index.js'
import * as routes from '../schema/routes.js'
import type { IsoRecordView } from '../schema/views.js'
import type { HeldMessages } from './held.js'
import type { BridgeAnswer, IsoBridge } from './service.js'

/** 202 for a message taken now, 200 for one that was decided before. */
function reply(answer: BridgeAnswer): HandlerReply<IsoRecordView> | LedgerError {
  if (answer instanceof LedgerError) return answer
  return { status: answer.replayed ? 200 : 202, value: answer }
}

const answered = (answer: BridgeAnswer): HandlerReply<IsoRecordView> | LedgerError =>
  answer instanceof LedgerError ? answer : { value: answer }

/** Handlers by route id. */
export function isoHandlers(
  services: NodeServices,
  bridge: IsoBridge,
  desk: HeldMessages,
): ReadonlyMap<string, AnyHandler<NodeServices>> {
  // An operator signs, so there is an account; its address is what the audit log names.
  const nameOf = ({ account }: Caller): string =>
    account === undefined ? 'operator' : formatAddress(account, services.info.addressPrefix)
  return new Map<string, AnyHandler<NodeServices>>([
    handle(routes.isoPacs008, async ({ body, caller }) => reply(await bridge.submit('pacs008', body, caller))),
    handle(routes.isoPacs009, async ({ body, caller }) => reply(await bridge.submit('pacs009', body, caller))),
    handle(routes.isoStatus, async ({ params, query, caller }) =>
      answered(await bridge.status(params.msgId, caller, query)),
    ),
    handle(routes.isoHeld, async () => ({ value: await desk.list() })),
    handle(routes.isoRelease, async ({ params, body, caller }) =>
      answered(await desk.release(params.msgId, body, nameOf(caller))),
    ),
    handle(routes.isoRefuse, async ({ params, body, caller }) =>
      answered(await desk.refuse(params.msgId, body, nameOf(caller))),
    ),
    handle(routes.isoChange, async ({ params, body, caller }) =>
      answered(await desk.change(params.msgId, body, nameOf(caller))),
    ),
  ])
}
