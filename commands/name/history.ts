import { ListCommand } from '../../src/cli/command/list-command.js'
import { pageFlags } from '../../src/cli/gateway/pages.js'
import { nameArg, readableName } from '../../src/cli/names/forms.js'

export default class NameHistory extends ListCommand {
  static override description = 'List the versions of a name, newest first.'
  static override examples = ['<%= config.bin %> name history desk@bank']
  static override args = nameArg
  static override flags = pageFlags

  async run(): Promise<void> {
    const { args, flags } = await this.parse(NameHistory)
    const columns = {
      VERSION: 'version',
      HEIGHT: 'changed_height',
      KIND: 'kind',
      OWNER: 'owner',
      ACCOUNT: 'account',
      EXPIRES: 'expires_ms',
    }
    await this.list(flags, ({ names }) => names.history, columns, { params: { name: await readableName(args.name) } })
  }
}
