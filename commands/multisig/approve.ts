import { Args } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { accountArg } from '../../src/cli/input/texts.js'
import { hashOf } from '../../src/cli/input/values.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { instructions as multisig } from '../../src/features/multisig/schema.js'

export default class MultisigApprove extends LedgerCommand {
  static override description =
    `Approve a proposal; it runs when the quorum is reached. Approving again retries a failed proposal.
Shows its instructions, after a check that its id matches them, and asks for confirmation on a terminal unless --yes.`
  static override examples = ['<%= config.bin %> multisig approve board@bank 3f5a... --key-file bob.json']
  static override args = {
    account: accountArg({ description: 'multisig account, address or alias', required: true, ignoreStdin: true }),
    proposal: Args.string({ description: 'id of the proposal', required: true, ignoreStdin: true }),
  }
  static override flags = {
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(MultisigApprove)
    const { proposalLines } = await import('../../src/cli/ledger/multisig-proposal.js')
    const proposal = hashOf(args.proposal)
    await this.send(flags, async (drafting) => {
      const account = await drafting.account(args.account)
      for (const line of await proposalLines(drafting, account, proposal)) drafting.remark(line)
      return [drafting.read(multisig.approve, { account, proposal })]
    })
  }
}
