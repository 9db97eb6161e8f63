import { Args, Flags } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { peerFlag, proposalArg } from '../../src/cli/gov/forms.js'
import { amountText } from '../../src/cli/input/values.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { instructions } from '../../src/features/gov/schema/instructions.js'

/** Choices as JSON shows them. */
const CHOICES = { aye: 'Aye', nay: 'Nay', abstain: 'Abstain' } as const

export default class GovVote extends LedgerCommand {
  static override description =
    `Vote on a proposal. The digest of the ballot is computed from the instructions, which are shown before the key signs.
On a track of an asset the ballot counts a part of your lock; conviction multiplies it and holds the lock longer if you win. A second ballot replaces the first.`
  static override examples = [
    '<%= config.bin %> gov vote 1 aye --key-file bob.json',
    '<%= config.bin %> gov vote 2 aye --amount 500 --conviction 1 --key-file alice.json',
  ]
  static override args = {
    ...proposalArg,
    choice: Args.string({
      description: 'choice',
      options: ['aye', 'nay', 'abstain'],
      required: true,
      ignoreStdin: true,
    }),
  }
  static override flags = {
    amount: Flags.string({ description: 'part of the lock that the ballot counts (default: all of it)' }),
    conviction: Flags.integer({ description: 'factor 0 to 6 for a longer lock', default: 0, min: 0, max: 6 }),
    ...peerFlag,
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(GovVote)
    const { checkedProposal } = await import('../../src/cli/gov/proposal.js')
    const { proposal, choice } = args
    const { amount, conviction, peer } = flags
    await this.send(flags, async (drafting) => {
      const { digest, lines } = await checkedProposal(drafting, proposal)
      for (const line of lines) drafting.remark(line)
      const ballot = { proposal, digest, choice: CHOICES[choice as keyof typeof CHOICES], conviction }
      const part = amount === undefined ? null : amountText(amount)
      return [drafting.read(instructions.castBallot, { ...ballot, amount: part, peer: peer ?? null })]
    })
  }
}
