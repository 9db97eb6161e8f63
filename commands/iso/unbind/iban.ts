import { Args } from '@oclif/core'
import { BaseCommand } from '../../../src/cli/base-command.js'
import { writeFlags } from '../../../src/cli/flags.js'

export default class IsoUnbindIban extends BaseCommand {
  static override description = 'Unbind an IBAN from its account: payments with it are refused from then on.'
  static override examples = ['<%= config.bin %> iso unbind iban BE24290035852938 --key-file admin.json']
  static override args = { iban: Args.string({ description: 'IBAN', required: true, ignoreStdin: true }) }
  static override flags = { ...writeFlags }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(IsoUnbindIban)
    const { ibanOf } = await import('../../../src/cli/iso-bind.js')
    const iban = ibanOf(args.iban)
    const settings = await this.settings(flags)
    const { submitInstructions } = await import('../../../src/cli/submit.js')
    const context = { settings, out: this.out, silent: this.silent, wait: flags.wait, dryRun: flags['dry-run'] }
    await submitInstructions(context, () => [{ UnbindIban: { iban } }])
  }
}
