/** Owns the protocol over HTTP: one server per request, one JSON response, both protocol revisions of clients. */
import { createMcpHandler } from '@modelcontextprotocol/server'
import type { Dispatch } from '../../../api/dispatch.js'
import { mcpServer } from './server.js'

/** Request headers that the protocol reads. */
const READ = ['mcp-protocol-version', 'mcp-method', 'mcp-name'] as const
/** Method of subscriptions, which never end; this server does not support them. */
const STREAMS = 'subscriptions/listen'
const NO_STREAMS = '{"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"this server has no subscriptions"}}'

/** Text of the only message of an event stream, or the unchanged body. */
function messageOf(type: string | null, body: string): string {
  if (type?.startsWith('text/event-stream') !== true) return body
  const lines = body.split('\n').filter((line) => line.startsWith('data: '))
  return lines.at(-1)?.slice('data: '.length) ?? ''
}

/** Process one message of the protocol: returns JSON text, empty for a notification. */
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
