import { Args } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { instructions as permissions } from '../../src/features/permissions/schema.js'

export default class RoleUnregister extends LedgerCommand {
  static override description = 'Remove a role that no account holds.'
  static override examples = ['<%= config.bin %> role unregister teller --key-file admin.json']
  static override args = {
    role: Args.string({ description: 'name of the role', required: true, ignoreStdin: true }),
  }
  static override flags = {
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(RoleUnregister)
    await this.send(flags, ({ read }) => [read(permissions.unregisterRole, { id: args.role })])
  }
}
