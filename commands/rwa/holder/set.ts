import { Flags } from '@oclif/core'
import { writeFlags } from '../../../src/cli/command/flags.js'
import { accountArg } from '../../../src/cli/input/texts.js'
import { LedgerCommand } from '../../../src/cli/ledger/command.js'
import { classArg, timeAfter } from '../../../src/cli/rwa/forms.js'
import { usageError } from '../../../src/cli/terminal/failure.js'
import { instructions } from '../../../src/features/rwas/schema/instructions.js'

export default class RwaHolderSet extends LedgerCommand {
  static override description =
    'Make an account eligible for lots of a class for a time, or end that, as the owner of the class or a holder of CanControl.'
  static override examples = [
    '<%= config.bin %> rwa holder set fund#bank alice@bank --for 365d --key-file admin.json',
    '<%= config.bin %> rwa holder set fund#bank alice@bank --end',
  ]
  static override args = {
    ...classArg,
    account: accountArg({ description: 'address or alias', required: true, ignoreStdin: true }),
  }
  static override flags = {
    for: Flags.string({ description: 'duration of the eligibility, such as 365d', exclusive: ['end'] }),
    end: Flags.boolean({ description: 'end the eligibility' }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(RwaHolderSet)
    if (flags.for === undefined && !flags.end) throw usageError('no change is given', 'Give --for or --end.')
    const until = timeAfter(flags.for, '--for')
    await this.send(flags, async ({ account, asset, read }) => [
      read(instructions.setRwaHolder, {
        class: await asset(args.class),
        account: await account(args.account),
        eligible_until_ms: until,
      }),
    ])
  }
}
