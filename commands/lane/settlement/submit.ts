import { Args } from '@oclif/core'
import { writeFlags } from '../../../src/cli/command/flags.js'
import type { SettlementFile } from '../../../src/cli/lane/settlement.js'
import { LedgerCommand } from '../../../src/cli/ledger/command.js'
import type { Settings } from '../../../src/cli/settings/settings.js'

export default class LaneSettlementSubmit extends LedgerCommand {
  static override description =
    `Submit a settlement that the other parties signed: their agreements first, then both legs at once.
Every party except the submitter must have signed exactly these terms for it; otherwise nothing is sent.
Submitting again is safe: a committed agreement is not sent again, and the id settles once. With --dry-run the
settlement itself is tried if its agreements are committed; otherwise only the agreements are.`
  static override examples = [
    '<%= config.bin %> lane settlement submit d1-signed.json --dry-run --key-file alice.json',
    '<%= config.bin %> lane settlement submit d1-signed.json --key-file alice.json',
  ]
  static override args = {
    file: Args.string({
      description: 'the signed settlement, or - for standard input',
      required: true,
      ignoreStdin: true,
    }),
  }
  static override flags = { ...writeFlags }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(LaneSettlementSubmit)
    const { instructionsOf } = await import('../../../src/model/index.js')
    const { readSettlement, submitAgreements } = await import('../../../src/cli/lane/settlement.js')
    const file = await readSettlement(args.file)
    const settings = await this.settings(flags)
    const isDry = flags['dry-run']
    if (isDry && (await this.triesAgreements(file, settings))) return
    await this.send(flags, async (drafting) => {
      if (!isDry) await submitAgreements(file, drafting, settings.timeoutMs)
      return instructionsOf(file.instructions, drafting.codec)
    })
  }

  /** Prints what the agreements that no block has yet would do; false when there are none. */
  private async triesAgreements(file: SettlementFile, settings: Settings): Promise<boolean> {
    const { dryRunText } = await import('../../../src/cli/transaction/dry-run.js')
    const { gatewayKey } = await import('../../../src/cli/gateway/gateway.js')
    const { tryAgreements } = await import('../../../src/cli/lane/settlement.js')
    const { withSigning } = await import('../../../src/cli/transaction/submit.js')
    const pair = await gatewayKey(settings)
    const agreements = await withSigning(settings, pair, (signing) => tryAgreements(file, signing))
    if (agreements.length === 0) return false
    this.out.result({ dry_run: true, agreements }, agreements.map(dryRunText).join('\n\n'))
    this.out.hint('the settlement can be tried once these agreements are committed')
    return true
  }
}
