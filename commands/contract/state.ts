import { ListCommand } from '../../src/cli/command/list-command.js'
import { contractArg } from '../../src/cli/contract/forms.js'
import { pageFlags } from '../../src/cli/gateway/pages.js'

export default class ContractState extends ListCommand {
  static override description =
    'List the state of a contract in the order of the keys: texts, and other values by their size; in Base64 with --verbose.'
  static override examples = ['<%= config.bin %> contract state token@bank']
  static override args = contractArg
  static override flags = pageFlags

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ContractState)
    const { addressOf } = await import('../../src/cli/contract/forms.js')
    const { withGateway } = await import('../../src/cli/gateway/gateway.js')
    const address = await withGateway(await this.settings(flags), (client) => addressOf(client, args.contract))
    const columns = { KEY: 'key', VALUE: 'value' }
    await this.list(flags, ({ contracts }) => contracts.state, columns, { texts: { query: { address } } })
  }
}
