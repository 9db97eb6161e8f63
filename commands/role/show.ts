import { Args } from '@oclif/core'
import { ReadCommand } from '../../src/cli/command/read-command.js'

export default class RoleShow extends ReadCommand {
  static override description = 'Show a role: its permissions, its managers, and the number of accounts that hold it.'
  static override examples = ['<%= config.bin %> role show role1', '<%= config.bin %> role show role1 --json']
  static override args = {
    role: Args.string({ description: 'name of the role', required: true, ignoreStdin: true }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(RoleShow)
    const fields = { role: 'id', permissions: 'permissions', managers: 'managers', accounts: 'members' }
    await this.showFields(flags, ({ permissions }) => permissions.role, { params: { id: args.role } }, fields)
  }
}
