import { Args } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { accountFlag } from '../../src/cli/input/texts.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { instructions as permissions } from '../../src/features/permissions/schema.js'

export default class RoleRevoke extends LedgerCommand {
  static override description = `Revoke a role from an account, as a manager of the role or a holder of CanManageRoles.
From ABI 2 on the account itself can do this too.`
  static override examples = ['<%= config.bin %> role revoke teller --from carol@bank --key-file bob.json']
  static override args = {
    role: Args.string({ description: 'name of the role', required: true, ignoreStdin: true }),
  }
  static override flags = {
    from: accountFlag({ description: 'account', required: true }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(RoleRevoke)
    await this.send(flags, async ({ account, read }) => [
      read(permissions.revoke, { subject: { Role: args.role }, to: { Account: await account(flags.from) } }),
    ])
  }
}
