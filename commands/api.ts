import { Args, Flags } from '@oclif/core'
import type { AnyRoute } from '../src/api/index.js'
import { BaseCommand } from '../src/cli/command/base-command.js'
import { signsRequests, withGateway } from '../src/cli/gateway/gateway.js'
import { readInput } from '../src/cli/input/input.js'
import type { Settings } from '../src/cli/settings/settings.js'
import { usageError } from '../src/cli/terminal/failure.js'
import { INTERRUPTED, interruptible } from '../src/cli/terminal/interrupt.js'

const NEW_LINE = Buffer.from('\n')

/** What a WebSocket is asked for without a body: all events, blocks from the first one. */
const FIRST_FRAMES: Readonly<Record<string, string>> = {
  events: '{"filters":[]}',
  'block.stream': '{"from_height":1}',
}

/** The stream of a path; undefined for paths that answer once. */
async function streamAt(path: string): Promise<AnyRoute | undefined> {
  const { splitTarget, STREAM_ROUTES } = await import('../src/api/index.js')
  const { FEATURE_ROUTES } = await import('../src/features/composed.js')
  const streams = [...STREAM_ROUTES, ...FEATURE_ROUTES].filter((row) => row.stream !== undefined)
  return streams.find((row) => row.path === splitTarget(path).path)
}

export default class Api extends BaseCommand {
  static override description = `Send a request to any route of a node and print the body of the response as received.
GET /openapi lists the routes. With a key file the request is signed.
Streams are printed as they arrive, until Ctrl-C (exit 130) or until --timeout elapses.
The frames of a WebSocket are printed one by one; --body is sent as the first frame.`
  static override examples = [
    '<%= config.bin %> api GET /v1/consensus/status',
    '<%= config.bin %> api GET "/v1/events/sse?from_height=1" --timeout 10s',
    '<%= config.bin %> api POST /v1/iso20022/pacs008 --body payment.xml --content-type application/xml',
  ]
  static override args = {
    method: Args.string({ description: 'GET, POST, ...', required: true, ignoreStdin: true }),
    path: Args.string({ description: 'path with its query', required: true, ignoreStdin: true }),
  }
  static override flags = {
    body: Flags.string({ description: 'file with the body, or - for standard input' }),
    accept: Flags.string({ description: 'requested media type', default: 'application/json, */*;q=0.5' }),
    'content-type': Flags.string({ description: 'media type of the body', default: 'application/json' }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Api)
    if (!args.path.startsWith('/')) throw usageError(`"${args.path}": a path must begin with /`)
    const method = args.method.toUpperCase()
    if (!/^(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)$/.test(method)) throw usageError(`${args.method} is not a method`)
    const settings = await this.settings(flags)
    const body = flags.body === undefined ? undefined : await readInput(flags.body)
    const stream = method === 'GET' ? await streamAt(args.path) : undefined
    if (stream !== undefined) return this.print(stream, args.path, settings, flags.timeout !== undefined, body)
    const answer = await withGateway(
      settings,
      (client) =>
        client.api(method, args.path, {
          accept: flags.accept,
          body,
          contentType: body === undefined ? undefined : flags['content-type'],
        }),
      { signed: signsRequests(settings) },
    )
    this.out.answer(answer.body)
    if (process.stdout.isTTY === true && answer.body.at(-1) !== 0x0a) this.out.answer(Buffer.from('\n'))
  }

  /** Prints what a stream sends; `timed`: ends after the time of the settings, which is then as long as was asked for. */
  private async print(
    row: AnyRoute,
    path: string,
    settings: Settings,
    timed: boolean,
    body: Uint8Array | undefined,
  ): Promise<void> {
    const end = new AbortController()
    const timer = timed ? setTimeout(() => end.abort(), settings.timeoutMs) : undefined
    const frames = row.format === 'websocket'
    const interrupted = await interruptible((interrupt) =>
      withGateway(
        settings,
        async (client) => {
          const signal = AbortSignal.any([interrupt, end.signal])
          try {
            const first = body === undefined ? (FIRST_FRAMES[row.id] ?? '') : Buffer.from(body).toString()
            const parts = frames ? await client.rawSocket(path, first, signal) : await client.rawEvents(path, signal)
            for await (const part of parts)
              this.out.answer(frames ? Buffer.concat([part, NEW_LINE]) : Buffer.from(part))
          } catch (error) {
            if (!signal.aborted) throw error
          }
          return interrupt.aborted
        },
        { signed: signsRequests(settings), endless: true },
      ),
    )
    clearTimeout(timer)
    if (interrupted) this.exitWith(INTERRUPTED)
  }
}
