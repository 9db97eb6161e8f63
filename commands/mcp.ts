import { BaseCommand } from '../src/cli/command/base-command.js'
import { signsRequests, withStreams } from '../src/cli/gateway/gateway.js'

export default class Mcp extends BaseCommand {
  static override description =
    `Serve the reads of a node to an AI assistant, by the Model Context Protocol on standard input and output.
The node needs no configuration for it, and all tools are read-only.`
  static override examples = ['<%= config.bin %> mcp --gateway https://node.example']

  async run(): Promise<void> {
    const { flags } = await this.parse(Mcp)
    const settings = await this.settings(flags)
    const { serveMcp } = await import('../src/cli/gateway/mcp.js')
    await withStreams(settings, (client) => serveMcp(client, this.config.version), { signed: signsRequests(settings) })
  }
}
