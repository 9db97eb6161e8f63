import { ListCommand } from '../../src/cli/command/list-command.js'
import { contractArg } from '../../src/cli/contract/forms.js'
import { pageFlags } from '../../src/cli/gateway/pages.js'

export default class ContractEvents extends ListCommand {
  static override description = 'What a contract told, newest first.'
  static override examples = ['<%= config.bin %> contract events token@bank']
  static override args = contractArg
  static override flags = pageFlags

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ContractEvents)
    const { addressOf } = await import('../../src/cli/contract/forms.js')
    const { withGateway } = await import('../../src/cli/gateway/gateway.js')
    const contract = await withGateway(await this.settings(flags), (client) => addressOf(client, args.contract))
    const columns = { HEIGHT: 'height', TOPIC: 'topic', DATA: 'data' }
    await this.list(flags, ({ contracts }) => contracts.events, columns, { query: { contract } })
  }
}
