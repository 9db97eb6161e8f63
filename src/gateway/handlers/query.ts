/** Owns the route of signed queries. */
import { handle, submitQueryRoute } from '../../api/index.js'
import type { NodeServices } from '../../features/services.js'
import { LedgerError } from '../../model/index.js'
import type { Clocks } from '../caller.js'
import { QueryDesk } from '../query/desk.js'

/** The handler with what it remembers: nonces and cursors. */
export function queryHandlers(clocks: Clocks) {
  const desk = new QueryDesk(clocks)
  return [
    handle(submitQueryRoute, async ({ services, body }: { services: NodeServices; body: Uint8Array }) => {
      const answer = await desk.answer(services, body)
      return answer instanceof LedgerError ? answer : { value: answer }
    }),
  ]
}
