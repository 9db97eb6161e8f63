import { ListCommand } from '../../src/cli/command/list-command.js'
import { contractArg } from '../../src/cli/contract/forms.js'
import type { View } from '../../src/cli/gateway/gateway.js'
import { pageFlags } from '../../src/cli/gateway/pages.js'

export default class ContractEvents extends ListCommand {
  static override description = 'List events of a contract, newest first.'
  static override examples = ['<%= config.bin %> contract events token@bank']
  static override args = contractArg
  static override flags = pageFlags

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ContractEvents)
    const { contractOf } = await import('../../src/cli/contract/forms.js')
    const { eventText } = await import('../../src/cli/gateway/contract-reading.js')
    const { withGateway } = await import('../../src/cli/gateway/gateway.js')
    const { address, manifest, prefix } = await withGateway(await this.settings(flags), async (client) => ({
      ...(await contractOf(client, args.contract)),
      prefix: (await client.chain()).addressPrefix,
    }))
    const textOf = (_view: View, { topic, data }: View): string =>
      eventText(manifest, String(topic), String(data), prefix)
    const columns = this.out.verbose
      ? { HEIGHT: 'height', TOPIC: 'topic', DATA: 'data' }
      : { HEIGHT: 'height', EVENT: { named: textOf } }
    await this.list(flags, ({ contracts }) => contracts.events, columns, { texts: { query: { contract: address } } })
  }
}
