import { BaseCommand } from '../../../src/cli/base-command.js'
import { getJson, textOf, type View, withGateway } from '../../../src/cli/gateway.js'
import { short, table } from '../../../src/cli/output.js'

export default class LedgerPeerList extends BaseCommand {
  static override description =
    'List the registered peers with their roles, addresses and the state of the links to them.'
  static override examples = ['<%= config.bin %> ledger peer list']

  async run(): Promise<void> {
    const { flags } = await this.parse(LedgerPeerList)
    const settings = await this.settings(flags)
    const view = (await withGateway(settings, (client) => getJson(client, '/peers'))) as View
    const items = (view.items ?? []) as readonly View[]
    const rows = items.map((one) => [
      short(textOf(one.id) ?? ''),
      textOf(one.role) ?? '',
      textOf(one.address) ?? '',
      one.connected === true ? 'up' : 'down',
      textOf(one.height) ?? '',
      textOf(one.last_error) ?? '',
    ])
    this.out.result(view, table(['PEER', 'ROLE', 'ADDRESS', 'LINK', 'HEIGHT', 'LAST ERROR'], rows))
  }
}
