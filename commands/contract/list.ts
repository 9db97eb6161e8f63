import { Flags } from '@oclif/core'
import { ListCommand } from '../../src/cli/command/list-command.js'
import { pageFlags } from '../../src/cli/gateway/pages.js'

export default class ContractList extends ListCommand {
  static override description = 'List contracts in the order of their addresses.'
  static override examples = ['<%= config.bin %> contract list --domain bank']
  static override flags = { domain: Flags.string({ description: 'only contracts of this domain' }), ...pageFlags }

  async run(): Promise<void> {
    const { flags } = await this.parse(ContractList)
    const columns = {
      ADDRESS: 'address',
      DOMAIN: 'instance.domain',
      STATUS: 'instance.status',
      HEIGHT: 'instance.deployed_height',
    }
    await this.list(flags, ({ contracts }) => contracts.contracts, columns, { query: { domain: flags.domain } })
  }
}
