import { Args, Flags } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { accountFlag } from '../../src/cli/input/texts.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { holderOf, permissionOf } from '../../src/cli/ledger/forms.js'
import { usageError } from '../../src/cli/terminal/failure.js'
import { instructions as permissions } from '../../src/features/permissions/schema.js'

export default class PermissionRevoke extends LedgerCommand {
  static override description = 'Revoke a permission, Name or Name:object, from an account or a role.'
  static override examples = [
    '<%= config.bin %> permission revoke CanMint:usd#bank --from bob@bank --key-file admin.json',
    '<%= config.bin %> permission revoke CanTransferAsset:usd#bank#alice@bank --role clerk',
  ]
  static override args = {
    permission: Args.string({
      description: 'Name for a global permission, otherwise Name:object',
      required: true,
      ignoreStdin: true,
    }),
  }
  static override flags = {
    from: accountFlag({ description: 'account' }),
    role: Flags.string({ description: 'role instead of an account' }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(PermissionRevoke)
    const holder = holderOf(flags.from, flags.role)
    if (holder === undefined) throw usageError('give an account with --from, or a --role')
    await this.send(flags, async (drafting) => [
      drafting.read(permissions.revoke, {
        subject: { Permission: await permissionOf(args.permission, drafting) },
        to: await holder(drafting),
      }),
    ])
  }
}
