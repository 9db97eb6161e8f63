import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../../src/cli/base-command.js'
import { waitFlag } from '../../../src/cli/flags.js'
import { readInput } from '../../../src/cli/input.js'
import { runSubmit } from '../../../src/cli/iso.js'

export default class IsoSubmitPacs009 extends BaseCommand {
  static override description = `Submit a pacs.009 message and follow it to its settlement.
Exits 0 when settled (ACSC), 6 when rejected (RJCT) or when the id is used by another message, 8 when still pending.`
  static override examples = [
    '<%= config.bin %> iso submit pacs009 payment.xml',
    'cat payment.xml | <%= config.bin %> iso submit pacs009 - --json',
  ]
  static override args = {
    file: Args.string({ description: 'message, or - for standard input', required: true, ignoreStdin: true }),
  }
  static override flags = {
    ...waitFlag,
    watch: Flags.boolean({ description: 'print each status as it is reached (NDJSON with --json)' }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(IsoSubmitPacs009)
    const settings = await this.settings(flags)
    const body = await readInput(args.file)
    const options = { family: 'pacs009', body, wait: flags.wait, silent: this.silent, watch: flags.watch } as const
    this.exitWith(await runSubmit(settings, this.out, options))
  }
}
