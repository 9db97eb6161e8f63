import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../src/cli/base-command.js'
import { usageError } from '../src/cli/failure.js'
import { signsRequests, withGateway } from '../src/cli/gateway.js'
import { readInput } from '../src/cli/input.js'

export default class Api extends BaseCommand {
  static override description = `Send a request to any route of a node and print the body of the answer as it came.
GET /openapi lists the routes. With a key file the request is signed.`
  static override examples = [
    '<%= config.bin %> api GET /v1/consensus/status',
    '<%= config.bin %> api POST /v1/iso20022/pacs008 --body payment.xml --content-type application/xml',
  ]
  static override args = {
    method: Args.string({ description: 'GET, POST, ...', required: true, ignoreStdin: true }),
    path: Args.string({ description: 'path with its query', required: true, ignoreStdin: true }),
  }
  static override flags = {
    body: Flags.string({ description: 'file with the body, or - for standard input' }),
    accept: Flags.string({ description: 'wanted media type', default: 'application/json' }),
    'content-type': Flags.string({ description: 'media type of the body', default: 'application/json' }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Api)
    if (!args.path.startsWith('/')) throw usageError(`"${args.path}": a path starts with /`)
    const method = args.method.toUpperCase()
    if (!/^(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)$/.test(method)) throw usageError(`${args.method} is no method`)
    const settings = await this.settings(flags)
    const body = flags.body === undefined ? undefined : await readInput(flags.body)
    const answer = await withGateway(
      settings,
      (client) =>
        client.api(method, args.path, {
          accept: flags.accept,
          ...(body === undefined ? {} : { body, contentType: flags['content-type'] }),
        }),
      { signed: signsRequests(settings) },
    )
    this.out.raw(answer.body)
    if (process.stdout.isTTY === true && answer.body.at(-1) !== 0x0a) this.out.raw(Buffer.from('\n'))
  }
}
