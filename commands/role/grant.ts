import { Args } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { accountFlag } from '../../src/cli/input/texts.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { instructions as permissions } from '../../src/features/permissions/schema.js'

export default class RoleGrant extends LedgerCommand {
  static override description = 'Grant a role to an account, as a manager of the role or a holder of CanManageRoles.'
  static override examples = ['<%= config.bin %> role grant teller --to carol@bank --key-file bob.json']
  static override args = {
    role: Args.string({ description: 'name of the role', required: true, ignoreStdin: true }),
  }
  static override flags = {
    to: accountFlag({ description: 'account', required: true }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(RoleGrant)
    await this.send(flags, async ({ account, read }) => [
      read(permissions.grant, { subject: { Role: args.role }, to: { Account: await account(flags.to) } }),
    ])
  }
}
