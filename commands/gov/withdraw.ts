import { Args, Flags } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { assetFlag } from '../../src/cli/input/texts.js'
import { amountText } from '../../src/cli/input/values.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { usageError } from '../../src/cli/terminal/failure.js'
import { instructions } from '../../src/features/gov/schema/instructions.js'

export default class GovWithdraw extends LedgerCommand {
  static override description = `Withdraw a proposal before its vote begins, or locked votes that no ballot holds.
The deposit of the proposal is returned. Votes on the winning side stay locked for the time of their conviction.`
  static override examples = [
    '<%= config.bin %> gov withdraw 3 --key-file alice.json',
    '<%= config.bin %> gov withdraw --asset vote#bank --amount 100 --key-file alice.json',
  ]
  static override args = {
    proposal: Args.integer({ description: 'number of your proposal', min: 0, ignoreStdin: true }),
  }
  static override flags = {
    asset: assetFlag({ description: 'asset definition whose votes are withdrawn' }),
    amount: Flags.string({ description: 'amount of votes (default: all that is free)', dependsOn: ['asset'] }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(GovWithdraw)
    const { proposal } = args
    const { asset: text, amount } = flags
    if ((proposal === undefined) === (text === undefined))
      throw usageError('give the number of a proposal or --asset', 'causeway gov withdraw --help')
    await this.send(flags, async ({ asset, read }) => {
      if (text === undefined) return [read(instructions.withdrawProposal, { proposal: proposal ?? 0 })]
      const part = amount === undefined ? null : amountText(amount)
      return [read(instructions.withdrawVotes, { definition: await asset(text), amount: part })]
    })
  }
}
