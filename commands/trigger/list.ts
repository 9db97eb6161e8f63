import { ListCommand } from '../../src/cli/command/list-command.js'
import { textOf } from '../../src/cli/gateway/gateway.js'
import { pageFlags } from '../../src/cli/gateway/pages.js'

export default class TriggerList extends ListCommand {
  static override description = 'List the triggers in the order of their names.'
  static override examples = ['<%= config.bin %> trigger list', '<%= config.bin %> trigger list --json']
  static override flags = { ...pageFlags }

  async run(): Promise<void> {
    const { flags } = await this.parse(TriggerList)
    await this.list(flags, ({ triggers }) => triggers.triggers, {
      TRIGGER: 'id',
      ENABLED: ({ enabled }) => (enabled === true ? 'yes' : 'no'),
      REPEATS: ({ repeats }) => textOf(repeats) ?? 'unlimited',
      FILTER: 'filter',
      AUTHORITY: 'authority',
    })
  }
}
