import { ListCommand } from '../../src/cli/command/list-command.js'
import { contractArg } from '../../src/cli/contract/forms.js'
import { pageFlags } from '../../src/cli/gateway/pages.js'

export default class ContractActivity extends ListCommand {
  static override description = 'List calls of a contract, newest first.'
  static override examples = ['<%= config.bin %> contract activity token@bank']
  static override args = contractArg
  static override flags = pageFlags

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ContractActivity)
    const { addressOf } = await import('../../src/cli/contract/forms.js')
    const { withGateway } = await import('../../src/cli/gateway/gateway.js')
    const contract = await withGateway(await this.settings(flags), (client) => addressOf(client, args.contract))
    const columns = {
      HEIGHT: 'height',
      TIME: 'time_ms',
      ENTRYPOINT: 'entrypoint',
      APPROVED: 'approved',
      GAS: 'gas_used',
      CALLER: 'caller',
    }
    await this.list(flags, ({ contracts }) => contracts.activity, columns, { texts: { query: { contract } } })
  }
}
