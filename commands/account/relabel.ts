import { Flags } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { accountArg } from '../../src/cli/input/texts.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { instructions as accounts } from '../../src/features/accounts/schema.js'

export default class AccountRelabel extends LedgerCommand {
  static override description = 'Set the label of an account, or remove it if none is given.'
  static override examples = [
    '<%= config.bin %> account relabel carol@bank --label caroline --key-file admin.json',
    '<%= config.bin %> account relabel cw1... --key-file carol.json',
  ]
  static override args = {
    account: accountArg({ description: 'address or alias', required: true, ignoreStdin: true }),
  }
  static override flags = {
    label: Flags.string({ description: 'new label (default: none)' }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(AccountRelabel)
    const { label = null } = flags
    await this.send(flags, async ({ account, read }) => [
      read(accounts.setLabel, { account: await account(args.account), label }),
    ])
  }
}
