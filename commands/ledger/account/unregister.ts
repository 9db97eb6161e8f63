import { Args } from '@oclif/core'
import { writeFlags } from '../../../src/cli/command/flags.js'
import { LedgerCommand } from '../../../src/cli/ledger/command.js'
import { instructions as accounts } from '../../../src/features/accounts/schema.js'

export default class LedgerAccountUnregister extends LedgerCommand {
  static override description =
    'Remove an account that has no balance and owns nothing: by itself or by the owner of its domain.'
  static override examples = ['<%= config.bin %> ledger account unregister carol@bank --key-file admin.json']
  static override args = {
    account: Args.string({ description: 'address or alias', required: true, ignoreStdin: true }),
  }
  static override flags = {
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(LedgerAccountUnregister)
    await this.send(flags, async ({ account, read }) => [
      read(accounts.unregisterAccount, { id: await account(args.account) }),
    ])
  }
}
