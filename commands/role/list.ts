import { ListCommand } from '../../src/cli/command/list-command.js'
import { viewsOf } from '../../src/cli/gateway/gateway.js'
import { pageFlags } from '../../src/cli/gateway/pages.js'

export default class RoleList extends ListCommand {
  static override description = 'List the roles in the order of their names.'
  static override examples = ['<%= config.bin %> role list', '<%= config.bin %> role list --json']
  static override flags = { ...pageFlags }

  async run(): Promise<void> {
    const { flags } = await this.parse(RoleList)
    await this.list(flags, ({ permissions }) => permissions.roles, {
      ROLE: 'id',
      PERMISSIONS: ({ permissions }) => String(viewsOf(permissions).length),
      ACCOUNTS: 'members',
    })
  }
}
