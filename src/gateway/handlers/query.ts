/** Owns the route of signed queries. */
import { handle, submitQueryRoute } from '../../api/index.js'
import type { NodeServices } from '../../api/services.js'
import type { Clocks } from '../../base/clocks.js'
import { LedgerError } from '../../model/index.js'
import type { GatewayConfig } from '../config.js'
import { type Asker, QueryService } from '../query/query-service.js'

type Input = Asker & { readonly services: NodeServices; readonly body: Uint8Array }

/** Query handler, with its own nonces and cursors. */
export function queryHandlers(clocks: Clocks, config: GatewayConfig) {
  const desk = new QueryService(clocks, config)
  return [
    handle(submitQueryRoute, async (input: Input) => {
      const answer = await desk.answer(input.services, input.body, input)
      return answer instanceof LedgerError ? answer : { value: answer }
    }),
  ]
}
