/** Owns the handlers of webhooks. */

import { type AnyHandler, type Caller, type HandlerReply, handle } from '../../../api/handler.js'
import type { NodeServices } from '../../../api/services.js'
import { LedgerError } from '../../../model/index.js'
import type { DeadLetter } from '../schema.js'
import * as routes from '../schema.js'
import type { DeadMessages } from './dead-messages.js'
import type { Hooks } from './hooks.js'
import { testMessage } from './message.js'

type Found = Exclude<ReturnType<Hooks['find']>, LedgerError>
type Reply<R> = HandlerReply<R> | LedgerError

/** Apply a function to a value if it was found; otherwise return the error. */
async function given<T, R>(found: T | LedgerError, act: (one: T) => R | Promise<R>): Promise<Reply<Awaited<R>>> {
  return found instanceof LedgerError ? found : { value: await act(found) }
}

export function webhookHandlers(
  hooks: Hooks,
  messages: DeadMessages,
  { chain, wallMs }: { readonly chain: string; readonly wallMs: () => number },
): ReadonlyMap<string, AnyHandler<NodeServices>> {
  const letterOf = ({ runner }: Found, event: string): DeadLetter | LedgerError =>
    runner.deadLetters.find((one) => one.event === event) ??
    new LedgerError('not_found', `webhook ${runner.hook.id} has no dead event ${event}`)
  type By = { readonly caller: Caller; readonly params: { readonly id: string } }
  return new Map([
    handle(routes.createRoute, async ({ caller, body, services }) => {
      const made = await hooks.create(caller, body, services)
      if (made instanceof LedgerError) return made
      const { id, url, state, cursor } = made.view
      return { value: { id, secret: made.secret, url, state, cursor } }
    }),
    handle(routes.listRoute, ({ caller }) => ({ value: { items: hooks.list(caller) } })),
    handle(routes.showRoute, ({ caller, params }: By) =>
      given(hooks.find(caller, params.id), (one) => hooks.view(one)),
    ),
    handle(routes.removeRoute, ({ caller, params }: By) =>
      given(hooks.find(caller, params.id), (one) => hooks.remove(one)),
    ),
    handle(routes.rotateRoute, ({ caller, params }: By) =>
      given(hooks.findReadable(caller, params.id), (one) => hooks.rotate(one)),
    ),
    handle(routes.enableRoute, ({ caller, params }: By) =>
      given(hooks.findReadable(caller, params.id), async (one) => {
        await one.runner.enable()
        return hooks.view(one)
      }),
    ),
    handle(routes.disableRoute, ({ caller, params }: By) =>
      given(hooks.find(caller, params.id), async (one) => {
        await one.runner.pause()
        return hooks.view(one)
      }),
    ),
    handle(routes.testRoute, ({ caller, params }: By) =>
      given(hooks.findReadable(caller, params.id), ({ runner }) => runner.asked(testMessage(wallMs(), chain))),
    ),
    handle(routes.attemptsRoute, ({ caller, params }: By) =>
      given(hooks.find(caller, params.id), ({ runner }) => ({ items: runner.attempts })),
    ),
    handle(routes.deadRoute, ({ caller, params }: By) =>
      given(hooks.find(caller, params.id), ({ runner }) => ({ items: runner.deadLetters })),
    ),
    handle(routes.redeliverRoute, async ({ caller, params: { id, event } }) => {
      const hook = hooks.findReadable(caller, id)
      if (hook instanceof LedgerError) return hook
      const letter = letterOf(hook, event)
      if (letter instanceof LedgerError) return letter
      return given(await messages.of(letter), (message) => hook.runner.redeliver(letter, message))
    }),
    handle(routes.forgetRoute, async ({ caller, params: { id, event } }) => {
      const hook = hooks.find(caller, id)
      if (hook instanceof LedgerError) return hook
      return given(letterOf(hook, event), async (letter) => {
        await hook.runner.removeLetter(letter)
        return letter
      })
    }),
  ])
}
