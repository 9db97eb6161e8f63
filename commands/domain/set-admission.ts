import { Args, Flags } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { amountText } from '../../src/cli/input/values.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { instructions as accounts } from '../../src/features/accounts/schema.js'

export default class DomainSetAdmission extends LedgerCommand {
  static override description =
    'Set whether incoming payments create accounts in a domain. The chain must allow it too (parameter account_admission).'
  static override examples = [
    '<%= config.bin %> domain set-admission shop --implicit --minimum 1 --role guest --key-file admin.json',
    '<%= config.bin %> domain set-admission shop --explicit',
  ]
  static override args = {
    domain: Args.string({ description: 'name of the domain', required: true, ignoreStdin: true }),
  }
  static override flags = {
    implicit: Flags.boolean({
      description: 'create accounts for incoming payments',
      exactlyOne: ['implicit', 'explicit'],
    }),
    explicit: Flags.boolean({ description: 'require registration of accounts' }),
    'per-tx': Flags.integer({
      description: 'maximum number of accounts created by one transaction',
      default: 16,
      min: 0,
    }),
    'per-block': Flags.integer({
      description: 'maximum number of accounts created by one block',
      default: 256,
      min: 0,
    }),
    minimum: Flags.string({ description: 'minimum amount that creates an account' }),
    role: Flags.string({ description: 'role of created accounts' }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(DomainSetAdmission)
    const policy = {
      mode: flags.implicit ? 'Implicit' : 'Explicit',
      max_per_tx: flags['per-tx'],
      max_per_block: flags['per-block'],
      minimum: flags.minimum === undefined ? null : amountText(flags.minimum),
      default_role: flags.role ?? null,
    }
    await this.send(flags, ({ read }) => [read(accounts.setAdmission, { domain: args.domain, policy })])
  }
}
