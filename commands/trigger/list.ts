import { BaseCommand } from '../../src/cli/command/base-command.js'
import { table } from '../../src/cli/command/output.js'
import { textOf } from '../../src/cli/gateway/gateway.js'
import { listItems, pageFlags } from '../../src/cli/gateway/pages.js'

export default class TriggerList extends BaseCommand {
  static override description = 'List the triggers in the order of their names.'
  static override examples = ['<%= config.bin %> trigger list', '<%= config.bin %> trigger list --json']
  static override flags = { ...pageFlags }

  async run(): Promise<void> {
    const { flags } = await this.parse(TriggerList)
    const found = await listItems(await this.settings(flags), ({ triggers }) => triggers.triggers, flags.limit)
    const rows = found.items.map((one) => [
      textOf(one.id) ?? '',
      one.enabled === true ? 'yes' : 'no',
      textOf(one.repeats) ?? 'for ever',
      textOf(one.filter) ?? '',
      textOf(one.authority) ?? '',
    ])
    this.out.result(found, table(['TRIGGER', 'ENABLED', 'REPEATS', 'FILTER', 'AUTHORITY'], rows))
  }
}
