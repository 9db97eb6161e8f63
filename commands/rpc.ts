import { Args } from '@oclif/core'
import { BaseCommand } from '../src/cli/command/base-command.js'
import { signsRequests, withGateway } from '../src/cli/gateway/gateway.js'
import { parseJsonText } from '../src/cli/input/json.js'

export default class Rpc extends BaseCommand {
  static override description =
    `Call a method of the JSON-RPC bridge of a node and print its result; without a method, list them.
A method is the id of a route; its parameters are the path and query parameters by name, and \`body\`.`
  static override examples = [
    '<%= config.bin %> rpc',
    `<%= config.bin %> rpc ledger.domains '{"limit": 2}'`,
    `<%= config.bin %> rpc ledger.account '{"id": "alice@bank"}'`,
  ]
  static override args = {
    method: Args.string({ description: 'id of a route', ignoreStdin: true }),
    params: Args.string({ description: 'parameters as a JSON object', ignoreStdin: true }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Rpc)
    const settings = await this.settings(flags)
    const { callRpc, listMethods } = await import('../src/cli/gateway/rpc.js')
    const { method, params } = args
    const result = await withGateway(
      settings,
      (client) =>
        method === undefined
          ? listMethods(client)
          : callRpc(client, method, params === undefined ? {} : parseJsonText(params, 'the parameters')),
      { signed: signsRequests(settings) },
    )
    this.out.result(result.value, result.text)
  }
}
