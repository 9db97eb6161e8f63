import { writeFlags } from '../../src/cli/command/flags.js'
import { accountArg } from '../../src/cli/input/texts.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { instructions as accounts } from '../../src/features/accounts/schema.js'

export default class AccountUnregister extends LedgerCommand {
  static override description =
    'Remove an account without balances and objects, as the account itself or the owner of its domain.'
  static override examples = ['<%= config.bin %> account unregister carol@bank --key-file admin.json']
  static override args = {
    account: accountArg({ description: 'address or alias', required: true, ignoreStdin: true }),
  }
  static override flags = {
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(AccountUnregister)
    await this.send(flags, async ({ account, read }) => [
      read(accounts.unregisterAccount, { id: await account(args.account) }),
    ])
  }
}
