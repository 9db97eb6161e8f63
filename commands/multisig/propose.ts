import { Args, Flags } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { parseLedgerDuration } from '../../src/cli/input/duration.js'
import { accountArg } from '../../src/cli/input/texts.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { instructionsOfFile } from '../../src/cli/ledger/forms.js'
import { instructions as multisig } from '../../src/features/multisig/schema.js'

export default class MultisigPropose extends LedgerCommand {
  static override description = `Propose instructions to a multisig account that the key is a member of.
The proposal runs at once if the key alone reaches the quorum.`
  static override examples = ['<%= config.bin %> multisig propose board@bank payment.json --key-file alice.json']
  static override args = {
    account: accountArg({ description: 'multisig account, address or alias', required: true, ignoreStdin: true }),
    file: Args.string({
      description: 'file with the instructions in JSON, or - for standard input',
      required: true,
      ignoreStdin: true,
    }),
  }
  static override flags = {
    ttl: Flags.string({ description: 'time to live of the proposal (default: the maximum of the policy)' }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(MultisigPropose)
    const instructions = await instructionsOfFile(args.file)
    const life = flags.ttl === undefined ? null : parseLedgerDuration(flags.ttl, '--ttl')
    await this.send(flags, async ({ account, read }) => [
      read(multisig.propose, { account: await account(args.account), instructions, ttl_ms: life }),
    ])
  }
}
