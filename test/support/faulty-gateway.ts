/**
 * Owns malicious gateways: one that responds to everything with nonsense, and a proxy of a real node that changes its
 * responses.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Listening gateway with its received requests. */
export interface FaultyGateway {
  readonly url: string
  /** `METHOD /path` of each request, in order. */
  readonly asked: string[]
  close(): Promise<void>
}

/** Response to a request. */
export type FaultyResponse = (request: IncomingMessage, response: ServerResponse, body: Buffer) => void | Promise<void>

/** Text with terminal control sequences, bidirectional controls and invisible characters. */
export const STEERING = 'pay\u001b]0;owned\u0007\u001b[2K\r\u009b31m\u202eevil\u200b\u{e0041}'

/** Send an endless body at a high rate. */
function forever(response: ServerResponse, part: string): void {
  const bytes = Buffer.from(part.repeat(Math.ceil(65_536 / part.length)))
  response.on('error', () => undefined)
  const timer = setInterval(() => {
    if (!response.writableNeedDrain) response.write(bytes)
  }, 1)
  response.once('close', () => clearInterval(timer))
}

const json = (status: number, value: unknown, headers: Record<string, string> = {}): FaultyResponse => {
  const text = JSON.stringify(value)
  return (_, response) => void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text)
}
const text = (status: number, type: string, body: string, headers: Record<string, string> = {}): FaultyResponse => {
  return (_, response) => void response.writeHead(status, { 'content-type': type, ...headers }).end(body)
}

/** Malicious responses to every request, by name. */
export const FAULTY_RESPONSES: Readonly<Record<string, FaultyResponse>> = {
  'null for a record': json(200, null),
  'a list for a record': json(200, []),
  'a web page of another server': text(200, 'text/html', '<html><body>It works!</body></html>'),
  'a redirect': json(302, { id: 'moved', items: [], next_cursor: null }, { location: 'http://127.0.0.1:1/' }),
  'no content': (_, response) => void response.writeHead(204).end(),
  'texts that steer a terminal': json(404, {
    code: 'not_found',
    message: `${STEERING}\nsecond line`,
    hint: STEERING,
    details: { known: [STEERING], faults: [{ message: STEERING }], __proto__: { x: 1 } },
  }),
  'a code that nobody knows': json(500, { code: STEERING, message: STEERING }),
  'a message without measure': json(400, { code: 'bad_value', message: 'x'.repeat(3_000_000) }),
  'a wait of days': json(429, { code: 'rate_limited', message: 'm', hint: 'h' }, { 'retry-after': '1000000' }),
  'an answer without an end': (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    forever(response, '[[[[[[[[')
  },
  'a refusal without an end': (_, response) => {
    response.writeHead(500, { 'content-type': 'text/plain' })
    forever(response, 'AAAAAAAA')
  },
  'unterminated event': (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    forever(response, 'data: xxxxxxxxxxxxxxxxxxxxxxxxxxxx\n')
  },
  'nothing at all': () => undefined,
  'the end of the connection': (request) => void request.socket.destroy(),
}

async function listening(server: Server, asked: string[]): Promise<FaultyGateway> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { url: `http://127.0.0.1:${port}`, asked, close }
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

/** Gateway with the responses of the current `lie`; it first returns true capabilities, if given. */
export function faultyGateway(respond: () => FaultyResponse, capabilities?: string): Promise<FaultyGateway> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    void bodyOf(request).then(
      (body) => {
        asked.push(`${request.method} ${request.url}`)
        if (capabilities !== undefined && request.url === '/v1/node/capabilities')
          return text(200, 'application/json', capabilities)(request, response, body)
        return respond()(request, response, body)
      },
      () => undefined,
    )
  })
  return listening(server, asked)
}

/** Response of a node before it is forwarded. */
export interface Passed {
  status: number
  headers: Record<string, string>
  body: Buffer
}

/**
 * Gateway in front of a real one. `before` may respond itself (true: it did), `after` may change the response of the
 * node.
 */
export function faultyProxy(
  target: string,
  responses: {
    readonly before?: (request: IncomingMessage, response: ServerResponse, body: Buffer) => boolean | Promise<boolean>
    readonly after?: (request: IncomingMessage, answer: Passed) => void
  },
): Promise<FaultyGateway> {
  const asked: string[] = []
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await bodyOf(request)
    asked.push(`${request.method} ${request.url}`)
    if ((await responses.before?.(request, response, body)) === true) return
    const headers = Object.entries(request.headers).filter(
      ([name]) => !['host', 'connection', 'content-length', 'transfer-encoding'].includes(name),
    ) as [string, string][]
    const answer = await fetch(`${target}${request.url}`, {
      method: request.method ?? 'GET',
      headers,
      ...(body.length === 0 ? {} : { body: new Uint8Array(body) }),
    })
    const passed: Passed = {
      status: answer.status,
      headers: { 'content-type': answer.headers.get('content-type') ?? 'application/json' },
      body: Buffer.from(await answer.arrayBuffer()),
    }
    responses.after?.(request, passed)
    response.writeHead(passed.status, passed.headers).end(passed.body)
  }
  const server = createServer((request, response) => {
    pass(request, response).catch(() => response.destroy())
  })
  return listening(server, asked)
}
