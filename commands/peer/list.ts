import { shortId } from '../../src/base/ids.js'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { getView, textOf, viewsOf, withGateway } from '../../src/cli/gateway/gateway.js'
import { table } from '../../src/cli/terminal/output.js'
import type { CausewayClient } from '../../src/client/index.js'

/** The node that is asked, as it lists its peers. */
async function selfOf(client: CausewayClient): Promise<{ id: string; role: string; height: number }> {
  const sets = await getView(client, ({ peers }) => peers.validatorSets, { query: { limit: 1 } })
  const [latest] = viewsOf(sets.items)
  const { validatorKey: id } = await client.chain()
  const isValidator = Array.isArray(latest?.roster) && latest.roster.includes(id)
  return { id, role: isValidator ? 'Validator' : 'Observer', height: await client.height() }
}

export default class PeerList extends BaseCommand {
  static override description =
    `List the registered peers with their roles, addresses and links, as seen by one node; itself first.
With --json the response of \`GET /peers\`, and the node itself as \`self\`.`
  static override examples = ['<%= config.bin %> peer list']

  async run(): Promise<void> {
    const { flags } = await this.parse(PeerList)
    const settings = await this.settings(flags)
    const { view, self } = await withGateway(settings, async (client) => ({
      view: await getView(client, ({ node }) => node.peers),
      self: await selfOf(client),
    }))
    const items = viewsOf(view.items)
    const rows = items.map((one) => [
      shortId(textOf(one.id) ?? ''),
      textOf(one.role) ?? '',
      textOf(one.address) ?? '',
      one.connected === true ? 'up' : 'down',
      textOf(one.height) ?? '',
      textOf(one.last_error) ?? '',
    ])
    const own = [shortId(self.id), self.role, settings.gateway, 'self', String(self.height), '']
    this.out.result(
      { ...view, self },
      table(['PEER', 'ROLE', 'ADDRESS', 'LINK', 'HEIGHT', 'LAST ERROR'], [own, ...rows]),
    )
  }
}
