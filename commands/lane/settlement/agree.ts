import { Args } from '@oclif/core'
import { writeFlags } from '../../../src/cli/command/flags.js'
import { accountFlag } from '../../../src/cli/input/texts.js'
import { LedgerCommand } from '../../../src/cli/ledger/command.js'

export default class LaneSettlementAgree extends LedgerCommand {
  static override description = `Agree to a settlement that another account submits: exactly these terms, once.
The key must belong to an account with a leg. Both parties need the same file; the submitter sends it with \`tx send\`.
The agreement is on the ledger at once; with \`lane settlement sign\` it is part of the file instead.`
  static override examples = [
    '<%= config.bin %> lane settlement agree dvp.json --to alice@bank --key-file carol.json',
    '<%= config.bin %> tx send dvp.json --key-file alice.json',
  ]
  static override args = {
    file: Args.string({
      description: 'the settlement in JSON, or - for standard input',
      required: true,
      ignoreStdin: true,
    }),
  }
  static override flags = {
    to: accountFlag({ description: 'address or alias of the submitting account', required: true }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(LaneSettlementAgree)
    const { agreementOf, readSettlement } = await import('../../../src/cli/lane/settlement.js')
    const { instructions } = await readSettlement(args.file)
    await this.send(flags, async (drafting) => [await agreementOf(instructions, flags.to, drafting)])
  }
}
