import { Args } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { instructions as staking } from '../../src/features/staking/schema/instructions.js'

export default class StakingNominate extends LedgerCommand {
  static override description =
    `Back validators with the bond of the key: at most eight, replacing earlier nominations; no validator ends them.
The more validators a stake backs, the more of it counts. If max_voters are listed, a larger bond
displaces the smallest: its owner keeps the bond but backs no validator (\`staking show\`: role Idle), and can nominate again.`
  static override examples = [
    '<%= config.bin %> staking nominate val-0@bank val-1@bank --key-file nina.json',
    '<%= config.bin %> staking nominate --key-file nina.json',
  ]
  static override strict = false
  static override args = { validators: Args.string({ description: 'accounts of validators', ignoreStdin: true }) }
  static override flags = writeFlags

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(StakingNominate)
    await this.send(flags, async ({ account, read }) => {
      const targets = await Promise.all(argv.map(String).map((text) => account(text)))
      return [read(staking.nominateValidators, { account: null, targets })]
    })
  }
}
