/** The JSON-RPC bridge on a node. */
import { handle } from '../../../api/handler.js'
import { defineService } from '../../service.js'
import { rpcSchema } from '../schema/index.js'
import { rpcMethodsRoute, rpcRoute } from '../schema/routes.js'
import { rpcConfig } from './config.js'

const ACCEPTED = 202

export const rpcService = defineService(rpcSchema, {
  config: rpcConfig,
  async open(_context, { enabled, profile }) {
    if (!enabled) return undefined
    const [{ answerRpc }, { methodsOf }] = await Promise.all([import('./calls.js'), import('./methods.js')])
    return {
      handlers: new Map([
        handle(rpcRoute, async ({ body, dispatch, headers, services }) => {
          const text = await answerRpc(body, dispatch, profile, async (method, message) => {
            // Some twenty megabytes that a node without assistants need not hold.
            const { answerMcp } = await import('../mcp/http.js')
            return answerMcp({ method, text: message }, headers, dispatch, services.info.version)
          })
          return text === undefined ? { status: ACCEPTED, value: '' } : { value: text }
        }),
        handle(rpcMethodsRoute, ({ dispatch }) => ({
          value: {
            profile,
            methods: methodsOf(dispatch.rows, profile).map(({ id, summary }) => ({ method: id, about: summary })),
          },
        })),
      ]),
    }
  },
})
