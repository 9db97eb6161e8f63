import { writeFlags } from '../../src/cli/command/flags.js'
import { accountFlag } from '../../src/cli/input/texts.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { canonicalName, nameArg } from '../../src/cli/names/forms.js'
import { instructions as names } from '../../src/features/names/schema/instructions.js'

export default class NameSetAccount extends LedgerCommand {
  static override description = 'Set the account that a leased name or subname resolves to, as its owner.'
  static override examples = ['<%= config.bin %> name set-account desk@bank --account bob@bank --key-file alice.json']
  static override args = nameArg
  static override flags = {
    account: accountFlag({ description: 'account: address or alias', required: true }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(NameSetAccount)
    const name = await canonicalName(args.name)
    await this.send(flags, async ({ account, read }) => [
      read(names.setNameAccount, { name, account: await account(flags.account) }),
    ])
  }
}
