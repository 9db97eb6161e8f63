import { Args, Flags } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { accountFlag } from '../../src/cli/input/texts.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { usageError } from '../../src/cli/terminal/failure.js'
import { instructions } from '../../src/features/gov/schema/instructions.js'

export default class GovElector extends LedgerCommand {
  static override description =
    'Set the account that votes and attests for a validator, as the account of its network key.'
  static override examples = [
    '<%= config.bin %> gov elector ae12… --account alice@bank --key-file val-0/keys/network.json',
    '<%= config.bin %> gov elector ae12… --remove --key-file val-0/keys/network.json',
  ]
  static override args = {
    peer: Args.string({ description: 'public key of the validator', required: true, ignoreStdin: true }),
  }
  static override flags = {
    account: accountFlag({ description: 'account that votes: address or alias' }),
    remove: Flags.boolean({ description: 'let the account of the network key vote again' }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(GovElector)
    if ((flags.account === undefined) !== (flags.remove === true))
      throw usageError('give --account or --remove', 'causeway gov elector --help')
    await this.send(flags, async ({ account, read }) => {
      const elector = flags.account === undefined ? null : await account(flags.account)
      return [read(instructions.setElector, { peer: args.peer, account: elector })]
    })
  }
}
