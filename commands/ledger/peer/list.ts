import { BaseCommand } from '../../../src/cli/command/base-command.js'
import { short, table } from '../../../src/cli/command/output.js'
import { getJson, textOf, type View, withGateway } from '../../../src/cli/gateway/gateway.js'

export default class LedgerPeerList extends BaseCommand {
  static override description =
    `List the registered peers with their roles, addresses and links, as one node has them; itself first.
With --json what \`GET /peers\` answers, and the key of the node as \`self\`.`
  static override examples = ['<%= config.bin %> ledger peer list']

  async run(): Promise<void> {
    const { flags } = await this.parse(LedgerPeerList)
    const settings = await this.settings(flags)
    const { view, self } = await withGateway(settings, async (client) => ({
      view: (await getJson(client, ({ node }) => node.peers)) as View,
      self: (await client.chain()).validatorKey,
    }))
    const items = (view.items ?? []) as readonly View[]
    const rows = items.map((one) => [
      short(textOf(one.id) ?? ''),
      textOf(one.role) ?? '',
      textOf(one.address) ?? '',
      one.connected === true ? 'up' : 'down',
      textOf(one.height) ?? '',
      textOf(one.last_error) ?? '',
    ])
    const own = [short(self), '', settings.gateway, 'self', '', '']
    this.out.result(
      { ...view, self },
      table(['PEER', 'ROLE', 'ADDRESS', 'LINK', 'HEIGHT', 'LAST ERROR'], [own, ...rows]),
    )
  }
}
