import { Args } from '@oclif/core'
import { waitFlag } from '../../../src/cli/flags.js'
import { LedgerCommand } from '../../../src/cli/ledger-command.js'

export default class LaneSettlementSubmit extends LedgerCommand {
  static override description =
    `Submit a settlement that the other parties signed: their agreements first, then both legs at once.
Every party but the one that submits must have signed exactly these terms for it; otherwise nothing is sent.
Submitting again is safe: an agreement that a block holds is not sent again, and the id settles once.`
  static override examples = ['<%= config.bin %> lane settlement submit d1-signed.json --key-file alice.json']
  static override args = {
    file: Args.string({
      description: 'the signed settlement, or - for standard input',
      required: true,
      ignoreStdin: true,
    }),
  }
  static override flags = { ...waitFlag }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(LaneSettlementSubmit)
    const { readSettlement, submitAgreements } = await import('../../../src/cli/settlement.js')
    const file = await readSettlement(args.file)
    const { timeoutMs } = await this.settings(flags)
    await this.send({ ...flags, 'dry-run': false }, async (drafting) => {
      await submitAgreements(file, drafting, timeoutMs)
      return file.instructions
    })
  }
}
