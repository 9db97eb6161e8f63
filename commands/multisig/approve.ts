import { Args } from '@oclif/core'
import { writeFlags } from '../../src/cli/flags.js'
import { LedgerCommand } from '../../src/cli/ledger-command.js'

export default class MultisigApprove extends LedgerCommand {
  static override description =
    'Approve a proposal; it runs when the quorum is reached. Approving again tries a proposal again that failed.'
  static override examples = ['<%= config.bin %> multisig approve board@bank 3f5a... --key-file bob.json']
  static override args = {
    account: Args.string({ description: 'multisig account, address or alias', required: true, ignoreStdin: true }),
    proposal: Args.string({ description: 'id of the proposal', required: true, ignoreStdin: true }),
  }
  static override flags = {
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(MultisigApprove)
    await this.send(flags, async ({ account }) => [
      { Approve: { account: await account(args.account), proposal: args.proposal } },
    ])
  }
}
