import { BaseCommand } from '../src/cli/command/base-command.js'
import { askGateway } from '../src/cli/gateway/gateway.js'
import { notAGateway } from '../src/client/decoded.js'

export default class Openapi extends BaseCommand {
  static override description = `Print the OpenAPI 3.1 document of the routes that a node serves.
It is the authoritative route list of a running node.`
  static override examples = [
    '<%= config.bin %> openapi > causeway.json',
    '<%= config.bin %> openapi --gateway http://127.0.0.1:8080',
  ]

  async run(): Promise<void> {
    const { flags } = await this.parse(Openapi)
    const settings = await this.settings(flags)
    const document = await askGateway(settings, ({ node }) => node.openapi)
    if (typeof document.openapi !== 'string') throw notAGateway('the response is not an OpenAPI document')
    this.out.result(document, JSON.stringify(document, undefined, 2))
  }
}
