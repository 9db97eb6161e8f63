/** Owns the protocol over HTTP: one server per request, one JSON response, both protocol revisions of clients. */
import { createMcpHandler } from '@modelcontextprotocol/server'
import type { Dispatch } from '../../../api/dispatch.js'
import { mcpServer } from './server.js'

/** Headers that the protocol reads of a request. */
const READ = ['mcp-protocol-version', 'mcp-method', 'mcp-name'] as const
/** A subscription has no end, and nothing here changes that one could subscribe to. */
const STREAMS = 'subscriptions/listen'
const NO_STREAMS = '{"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"this server has no subscriptions"}}'

/** The text of the one message of an event stream, or the body as it is. */
function messageOf(type: string | null, body: string): string {
  if (type?.startsWith('text/event-stream') !== true) return body
  const lines = body.split('\n').filter((line) => line.startsWith('data: '))
  return lines.at(-1)?.slice('data: '.length) ?? ''
}

/** Answers one message of the protocol: JSON text, empty for a notification. */
export async function answerMcp(
  message: { readonly method: string; readonly text: string },
  headers: Readonly<Record<string, string | undefined>>,
  dispatch: Dispatch,
  version: string,
): Promise<string> {
  if (message.method === STREAMS) return NO_STREAMS
  const handler = createMcpHandler(() => mcpServer(dispatch, version), { keepAliveMs: 0 })
  try {
    const passed = READ.flatMap((name): [string, string][] => {
      const value = headers[name]
      return value === undefined ? [] : [[name, value]]
    })
    const request = new Request('http://localhost/v1/rpc', {
      method: 'POST',
      headers: [['content-type', 'application/json'], ['accept', 'application/json, text/event-stream'], ...passed],
      body: message.text,
    })
    const response = await handler.fetch(request)
    return messageOf(response.headers.get('content-type'), await response.text())
  } finally {
    await handler.close()
  }
}
