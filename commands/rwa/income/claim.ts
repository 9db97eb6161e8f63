import { Flags } from '@oclif/core'
import { writeFlags } from '../../../src/cli/command/flags.js'
import { accountFlag } from '../../../src/cli/input/texts.js'
import { LedgerCommand } from '../../../src/cli/ledger/command.js'
import { classArg, lotsOf } from '../../../src/cli/rwa/forms.js'
import { instructions } from '../../../src/features/rwas/schema/instructions.js'

export default class RwaIncomeClaim extends LedgerCommand {
  static override description =
    'Pay the income of lots to their owners, and income of former lots to accounts. Any account can send it.'
  static override examples = [
    '<%= config.bin %> rwa income claim fund#bank --lot fund#bank/1 --key-file alice.json',
    '<%= config.bin %> rwa income claim fund#bank --account alice@bank',
  ]
  static override args = classArg
  static override flags = {
    lot: Flags.string({ description: 'lot whose owner is paid; may be repeated', multiple: true }),
    account: accountFlag({ description: 'account that is paid; may be repeated', multiple: true }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(RwaIncomeClaim)
    const lots = lotsOf(flags.lot ?? [])
    await this.send(flags, async ({ account, asset, read }) => [
      read(instructions.claimRwaIncome, {
        class: await asset(args.class),
        lots,
        accounts: await Promise.all((flags.account ?? []).map(account)),
      }),
    ])
  }
}
