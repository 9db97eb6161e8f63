import { Flags } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { accountArg } from '../../src/cli/input/texts.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { metadataOf } from '../../src/cli/ledger/forms.js'
import { instructions as accounts } from '../../src/features/accounts/schema.js'

export default class AccountRegister extends LedgerCommand {
  static override description =
    'Register an account in a domain, as the owner of the domain or a holder of CanRegisterAccount.'
  static override examples = [
    '<%= config.bin %> account register cw1... --domain bank --label carol --key-file admin.json',
  ]
  static override args = {
    address: accountArg({ description: 'address of the account', required: true, ignoreStdin: true }),
  }
  static override flags = {
    domain: Flags.string({ description: 'home domain', required: true }),
    label: Flags.string({ description: 'label, unique in the domain: the alias is label@domain' }),
    meta: Flags.string({ description: 'metadata key=value; may be repeated', multiple: true, helpValue: 'KEY=VALUE' }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(AccountRegister)
    const { domain, label = null } = flags
    const record = { id: args.address, domain, label, metadata: metadataOf(flags.meta) }
    await this.send(flags, ({ read }) => [read(accounts.registerAccount, record)])
  }
}
