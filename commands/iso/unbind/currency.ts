import { Args } from '@oclif/core'
import { writeFlags } from '../../../src/cli/command/flags.js'
import { LedgerCommand } from '../../../src/cli/ledger/command.js'
import { instructions as iso } from '../../../src/features/iso20022/schema/instructions.js'

export default class IsoUnbindCurrency extends LedgerCommand {
  static override description = 'Unbind a currency from its asset definition: later payments in it are refused.'
  static override examples = ['<%= config.bin %> iso unbind currency EUR --key-file admin.json']
  static override args = { currency: Args.string({ description: 'ISO 4217 code', required: true, ignoreStdin: true }) }
  static override flags = { ...writeFlags }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(IsoUnbindCurrency)
    const { currencyOf } = await import('../../../src/cli/iso/bind.js')
    const currency = currencyOf(args.currency)
    await this.send(flags, ({ read }) => [read(iso.unbindCurrency, { currency })])
  }
}
