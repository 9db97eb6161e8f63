/** Owns handlers of the time routes. */
import { handle, timeNowRoute, timeStatusRoute } from '../../api/index.js'
import type { NodeServices } from '../../api/services.js'

type Input = { readonly services: NodeServices }

export const timeHandlers = [
  handle(timeNowRoute, ({ services }: Input) => ({ value: services.timeNow() })),
  handle(timeStatusRoute, ({ services }: Input) => ({ value: services.timeStatus() })),
]
