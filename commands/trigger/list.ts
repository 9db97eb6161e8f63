import { BaseCommand } from '../../src/cli/base-command.js'
import { textOf, type View, withGateway } from '../../src/cli/gateway.js'
import { table } from '../../src/cli/output.js'

export default class TriggerList extends BaseCommand {
  static override description = 'List the triggers in the order of their names.'
  static override examples = ['<%= config.bin %> trigger list', '<%= config.bin %> trigger list --json']
  static override flags = {}

  async run(): Promise<void> {
    const { flags } = await this.parse(TriggerList)
    await withGateway(
      await this.settings(flags),
      async (client) => {
        const items: View[] = []
        for await (const item of client.queryItems('triggers')) items.push(item as View)
        const rows = items.map((one) => [
          textOf(one.id) ?? '',
          one.enabled === true ? 'yes' : 'no',
          textOf(one.repeats) ?? 'for ever',
          textOf(one.filter) ?? '',
          textOf(one.authority) ?? '',
        ])
        this.out.result({ items }, table(['TRIGGER', 'ENABLED', 'REPEATS', 'FILTER', 'AUTHORITY'], rows))
      },
      { signed: true },
    )
  }
}
