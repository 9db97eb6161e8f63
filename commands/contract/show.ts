import { ReadCommand } from '../../src/cli/command/read-command.js'
import { contractArg } from '../../src/cli/contract/forms.js'

export default class ContractShow extends ReadCommand {
  static override description = 'Show a contract: its artifact, entrypoints, alias and storage use.'
  static override examples = ['<%= config.bin %> contract show token@bank']
  static override args = contractArg

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ContractShow)
    const { addressOf } = await import('../../src/cli/contract/forms.js')
    const { withGateway } = await import('../../src/cli/gateway/gateway.js')
    const address = await withGateway(await this.settings(flags), (client) => addressOf(client, args.contract))
    await this.show(flags, ({ contracts }) => contracts.instance, { params: { address } })
  }
}
