import { Args } from '@oclif/core'
import { BaseCommand } from '../../../src/cli/base-command.js'
import { writeFlags } from '../../../src/cli/flags.js'

export default class IsoUnbindCurrency extends BaseCommand {
  static override description = 'Unbind a currency from its asset definition: payments in it are refused from then on.'
  static override examples = ['<%= config.bin %> iso unbind currency EUR --key-file admin.json']
  static override args = { currency: Args.string({ description: 'ISO 4217 code', required: true, ignoreStdin: true }) }
  static override flags = { ...writeFlags }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(IsoUnbindCurrency)
    const { currencyOf } = await import('../../../src/cli/iso-bind.js')
    const currency = currencyOf(args.currency)
    const settings = await this.settings(flags)
    const { submitInstructions } = await import('../../../src/cli/submit.js')
    const context = { settings, out: this.out, silent: this.silent, wait: flags.wait, dryRun: flags['dry-run'] }
    await submitInstructions(context, () => [{ UnbindCurrency: { currency } }])
  }
}
