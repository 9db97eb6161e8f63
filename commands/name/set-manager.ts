import { writeFlags } from '../../src/cli/command/flags.js'
import { accountFlag } from '../../src/cli/input/texts.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { canonicalName, nameArg } from '../../src/cli/names/forms.js'
import { instructions as names } from '../../src/features/names/schema/instructions.js'

export default class NameSetManager extends LedgerCommand {
  static override description = 'Set the account that may change the records of a name, or remove it if none is given.'
  static override examples = ['<%= config.bin %> name set-manager desk@bank --account carol@bank --key-file alice.json']
  static override args = nameArg
  static override flags = {
    account: accountFlag({ description: 'manager: address or alias (default: none)' }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(NameSetManager)
    const name = await canonicalName(args.name)
    await this.send(flags, async ({ account, read }) => [
      read(names.setNameManager, {
        name,
        manager: flags.account === undefined ? null : await account(flags.account),
      }),
    ])
  }
}
