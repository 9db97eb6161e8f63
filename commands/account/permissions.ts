import { BaseCommand } from '../../src/cli/command/base-command.js'
import { askGateway, textOf, viewsOf } from '../../src/cli/gateway/gateway.js'
import { accountArg } from '../../src/cli/input/texts.js'
import { table } from '../../src/cli/terminal/output.js'

export default class AccountPermissions extends BaseCommand {
  static override description = 'Show the permissions and roles of an account.'
  static override examples = [
    '<%= config.bin %> account permissions alice@bank',
    '<%= config.bin %> account permissions cw1... --json',
  ]
  static override args = {
    account: accountArg({ description: 'address or alias', required: true, ignoreStdin: true }),
  }
  static override flags = {}

  async run(): Promise<void> {
    const { args, flags } = await this.parse(AccountPermissions)
    const view = await askGateway(await this.settings(flags), ({ permissions }) => permissions.accountGrants, {
      params: { id: args.account },
    })
    const rows = [
      ...viewsOf(view.permissions).map((one) => [textOf(one.name) ?? '', textOf(one.object) ?? '', '']),
      ...viewsOf(view.roles).flatMap((role) =>
        viewsOf(role.permissions).map((one) => [
          textOf(one.name) ?? '',
          textOf(one.object) ?? '',
          textOf(role.id) ?? '',
        ]),
      ),
    ]
    this.out.result(view, table(['PERMISSION', 'OBJECT', 'BY ROLE'], rows))
  }
}
