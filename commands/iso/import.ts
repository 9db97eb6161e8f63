import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { waitFlag, yesFlag } from '../../src/cli/command/flags.js'
import { inputName, readInput } from '../../src/cli/input/input.js'

export default class IsoImport extends BaseCommand {
  static override description =
    `Bind IBANs, currencies and submitters from a file. The whole file is checked first; then it is bound in
transactions of 200 instructions each. Identical existing bindings are accepted, so that an interrupted import can
be repeated.
CSV: a header line iban,account or currency,definition. JSON: a list of {"iban","account"}, {"currency","definition"},
{"submitter","domain" or "debtors","bics"?,"limits"?}.`
  static override examples = [
    '<%= config.bin %> iso import ibans.csv --key-file admin.json',
    '<%= config.bin %> iso import bindings.json --dry-run',
  ]
  static override args = {
    file: Args.string({ description: 'file, or - for standard input', required: true, ignoreStdin: true }),
  }
  static override flags = {
    'dry-run': Flags.boolean({ description: 'check the file and print the bindings without sending' }),
    ...waitFlag,
    ...yesFlag,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(IsoImport)
    const { BATCH, instructionsOfBinding, readBindings } = await import('../../src/cli/iso/import.js')
    const bindings = readBindings(inputName(args.file), await readInput(args.file))
    const counts = { ibans: 0, currencies: 0, submitters: 0 }
    for (const { kind } of bindings)
      counts[kind === 'iban' ? 'ibans' : kind === 'currency' ? 'currencies' : 'submitters'] += 1
    const text = `${counts.ibans} IBANs, ${counts.currencies} currencies, ${counts.submitters} submitters`
    if (flags['dry-run']) return this.out.result({ dry_run: true, ...counts, bindings }, text)
    const settings = await this.settings(flags)
    const { submitInstructions } = await import('../../src/cli/transaction/submit.js')
    for (let at = 0; at < bindings.length; at += BATCH) {
      const batch = bindings.slice(at, at + BATCH)
      this.out.note(`bindings ${at + 1} to ${at + batch.length} of ${bindings.length}`)
      await submitInstructions(
        { settings, out: this.out, silent: this.silent, wait: flags.wait, asking: flags },
        async ({ names, read }) => {
          const instructions = []
          for (const one of batch)
            instructions.push(...(await instructionsOfBinding(one, (account) => names.account(account), read)))
          return instructions
        },
      )
    }
    this.out.note(text)
  }
}
