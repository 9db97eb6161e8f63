import { Args } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { accountArg } from '../../src/cli/input/texts.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { instructions as multisig } from '../../src/features/multisig/schema.js'

export default class MultisigCancel extends LedgerCommand {
  static override description = 'Cancel a proposal, as its proposer, until another member approves it.'
  static override examples = ['<%= config.bin %> multisig cancel board@bank 3f5a... --key-file bob.json']
  static override args = {
    account: accountArg({ description: 'multisig account, address or alias', required: true, ignoreStdin: true }),
    proposal: Args.string({ description: 'id of the proposal', required: true, ignoreStdin: true }),
  }
  static override flags = {
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(MultisigCancel)
    await this.send(flags, async ({ account, read }) => [
      read(multisig.cancel, { account: await account(args.account), proposal: args.proposal }),
    ])
  }
}
