import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../../src/cli/command/base-command.js'
import { yesFlag } from '../../../src/cli/command/flags.js'
import { accountFlag } from '../../../src/cli/input/texts.js'

export default class LaneSettlementSign extends BaseCommand {
  static override description =
    `Sign a settlement for another party to submit, and print the file with the signature in it.
Nothing is sent: the agreement binds this account to exactly these terms once the other party submits the file.
It expires after its time to live, at most max_ttl_ms of the chain.`
  static override examples = [
    '<%= config.bin %> lane settlement sign d1.json --to alice@bank --key-file carol.json --json > d1-signed.json',
  ]
  static override args = {
    file: Args.string({
      description: 'the settlement, or - for standard input',
      required: true,
      ignoreStdin: true,
    }),
  }
  static override flags = {
    to: accountFlag({ description: 'address or alias of the submitting account', required: true }),
    ttl: Flags.string({ description: 'time to live of the agreement', default: '10m' }),
    ...yesFlag,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(LaneSettlementSign)
    const { parseLedgerDuration } = await import('../../../src/cli/input/duration.js')
    const { gatewayKey } = await import('../../../src/cli/gateway/gateway.js')
    const { readSettlement, withAgreement } = await import('../../../src/cli/lane/settlement.js')
    const { reviewed } = await import('../../../src/cli/transaction/review.js')
    const { withSigning } = await import('../../../src/cli/transaction/submit.js')
    const ttlMs = parseLedgerDuration(flags.ttl, '--ttl')
    const file = await readSettlement(args.file)
    const settings = await this.settings(flags)
    const pair = await gatewayKey(settings)
    const signed = await withSigning(settings, pair, (signing) =>
      withAgreement(file, flags.to, { ...signing, pair, ttlMs }, (review) =>
        reviewed(this.out, review, flags, settings),
      ),
    )
    this.out.result(signed, JSON.stringify(signed, null, 2))
  }
}
