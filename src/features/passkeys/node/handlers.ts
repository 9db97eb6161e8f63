/** Owns the handlers of passkeys. */

import { type AnyHandler, type HandlerReply, handle } from '../../../api/handler.js'
import type { NodeServices } from '../../../api/services.js'
import { LedgerError } from '../../../model/index.js'
import * as routes from '../schema.js'
import { TICKET_MS } from './limits.js'
import type { Passkeys } from './passkeys.js'

const reply = <T>(result: T | LedgerError): HandlerReply<T> | LedgerError =>
  result instanceof LedgerError ? result : { value: result }
const options = <T>(result: T | LedgerError): HandlerReply<{ options: T }> | LedgerError =>
  result instanceof LedgerError ? result : { value: { options: result } }

export const passkeyHandlers = (
  passkeys: Passkeys,
  { page, wallMs }: { readonly page: (ticket: string) => string; readonly wallMs: () => number },
): ReadonlyMap<string, AnyHandler<NodeServices>> =>
  new Map([
    handle(routes.ticketRoute, async ({ caller: { account, session }, body }) => {
      // A temporary session could otherwise create permanent access.
      if (session === true || account === undefined) {
        return new LedgerError('unauthorised', 'a ticket requires a signature by an operator key, not a session')
      }
      const ticket = await passkeys.ticket(account, body.label)
      if (ticket instanceof LedgerError) return ticket
      return { value: { ticket, url: page(ticket), expiresAtMs: wallMs() + TICKET_MS } }
    }),
    handle(routes.registrationOptionsRoute, async ({ client, body }) =>
      options(await passkeys.registrationOptions(client, body.ticket)),
    ),
    handle(routes.registrationVerifyRoute, async ({ client, body }) =>
      reply(await passkeys.register(client, body.ticket, body.response)),
    ),
    handle(routes.loginOptionsRoute, async ({ client }) => options(await passkeys.loginOptions(client))),
    handle(routes.loginVerifyRoute, async ({ client, body }) => reply(await passkeys.login(client, body.response))),
    handle(routes.listRoute, async () => ({ value: { items: await passkeys.list() } })),
    handle(routes.removeRoute, async ({ params }: { readonly params: { readonly id: string } }) =>
      reply(await passkeys.remove(params.id)),
    ),
  ])
