import { Args } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { pairs } from '../../src/cli/command/output.js'
import { askGateway, textOf } from '../../src/cli/gateway/gateway.js'

export default class RoleShow extends BaseCommand {
  static override description = 'Show a role: its permissions, its managers, how many accounts have it.'
  static override examples = ['<%= config.bin %> role show role1', '<%= config.bin %> role show role1 --json']
  static override args = {
    role: Args.string({ description: 'name of the role', required: true, ignoreStdin: true }),
  }
  static override flags = {}

  async run(): Promise<void> {
    const { args, flags } = await this.parse(RoleShow)
    const view = await askGateway(await this.settings(flags), ({ permissions }) => permissions.role, {
      params: { id: args.role },
    })
    this.out.result(
      view,
      pairs([
        ['role', textOf(view.id)],
        ['permissions', textOf(view.permissions)],
        ['managers', textOf(view.managers)],
        ['accounts', textOf(view.members)],
      ]),
    )
  }
}
