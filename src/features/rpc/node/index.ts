/** The JSON-RPC bridge on a node. */
import type { Dispatch } from '../../../api/dispatch.js'
import { handle } from '../../../api/handler.js'
import type { AnyRoute } from '../../../api/route.js'
import { defineService } from '../../service.js'
import { rpcMethodsRoute, rpcRoute, rpcSchema } from '../schema.js'
import { rpcConfig } from './config.js'

const ACCEPTED = 202

export const rpcService = defineService(rpcSchema, {
  config: rpcConfig,
  async open(_context, { enabled, profile }) {
    if (!enabled) return undefined
    const { answerRpc, methodsOf } = await import('../calls.js')
    let known: ReadonlyMap<string, AnyRoute> | undefined
    const methods = ({ rows }: Dispatch): ReadonlyMap<string, AnyRoute> => {
      known ??= new Map(methodsOf(rows, profile).map((row) => [row.id, row]))
      return known
    }
    return {
      handlers: new Map([
        handle(rpcRoute, async ({ body, dispatch, headers, services }) => {
          const text = await answerRpc(body, dispatch, methods(dispatch), async (method, message) => {
            // Loaded on demand: it takes some twenty megabytes.
            const { answerMcp } = await import('../mcp/http.js')
            return answerMcp({ method, text: message }, headers, dispatch, services.info.version)
          })
          return text === undefined ? { status: ACCEPTED, value: '' } : { value: text }
        }),
        handle(rpcMethodsRoute, ({ dispatch }) => ({
          value: {
            profile,
            methods: [...methods(dispatch).values()].map(({ id, summary }) => ({ method: id, about: summary })),
          },
        })),
      ]),
    }
  },
})
