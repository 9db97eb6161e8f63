import { BaseCommand } from '../../src/cli/command/base-command.js'
import { table } from '../../src/cli/command/output.js'
import { textOf, type View } from '../../src/cli/gateway/gateway.js'
import { listItems, pageFlags } from '../../src/cli/gateway/pages.js'

export default class RoleList extends BaseCommand {
  static override description = 'List the roles in the order of their names.'
  static override examples = ['<%= config.bin %> role list', '<%= config.bin %> role list --json']
  static override flags = { ...pageFlags }

  async run(): Promise<void> {
    const { flags } = await this.parse(RoleList)
    const found = await listItems(await this.settings(flags), ({ permissions }) => permissions.roles, flags.limit)
    const rows = found.items.map((one) => [
      textOf(one.id) ?? '',
      String(((one.permissions ?? []) as readonly View[]).length),
      textOf(one.members) ?? '',
    ])
    this.out.result(found, table(['ROLE', 'PERMISSIONS', 'ACCOUNTS'], rows))
  }
}
