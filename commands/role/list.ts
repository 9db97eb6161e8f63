import { BaseCommand } from '../../src/cli/base-command.js'
import { textOf, type View, withGateway } from '../../src/cli/gateway.js'
import { table } from '../../src/cli/output.js'

export default class RoleList extends BaseCommand {
  static override description = 'List the roles in the order of their names.'
  static override examples = ['<%= config.bin %> role list', '<%= config.bin %> role list --json']
  static override flags = {}

  async run(): Promise<void> {
    const { flags } = await this.parse(RoleList)
    await withGateway(
      await this.settings(flags),
      async (client) => {
        const items: View[] = []
        for await (const item of client.queryItems('roles')) items.push(item as View)
        const rows = items.map((one) => [
          textOf(one.id) ?? '',
          String(((one.permissions ?? []) as readonly View[]).length),
          textOf(one.members) ?? '',
        ])
        this.out.result({ items }, table(['ROLE', 'PERMISSIONS', 'ACCOUNTS'], rows))
      },
      { signed: true },
    )
  }
}
