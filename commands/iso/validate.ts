import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { inputName, readInput } from '../../src/cli/input/input.js'
import { faultsOf } from '../../src/cli/iso/iso.js'
import { allFaults, messageView, validateFiles, validityLines } from '../../src/cli/iso/validate.js'
import { batchExit } from '../../src/cli/terminal/batch-exit.js'
import { EXIT } from '../../src/model/errors.js'

export default class IsoValidate extends BaseCommand {
  static override description =
    `Check messages without a node: form, structure, values, totals. pacs.008 and pacs.009 in full, other families by
their field tables (\`iso explain\` lists them). A refused message exits 4 with every fault of its stage: path, line,
found and expected value, ISO reason, hint. A message of several payments is valid if one of them is; it exits 4
if some are rejected, with the first fault of each. Several files: one line per fault, FILE:LINE:COLUMN.`
  static override examples = [
    '<%= config.bin %> iso validate payment.xml',
    '<%= config.bin %> iso validate - --family pacs.008 --json < payment.xml',
    '<%= config.bin %> iso validate inbox/*.xml --compact',
  ]
  static override args = {
    file: Args.string({
      description: 'message, or - for standard input; several files may be given',
      required: true,
      ignoreStdin: true,
    }),
  }
  static override strict = false
  static override flags = {
    family: Flags.string({ description: 'the only family accepted, such as pacs.008 or camt.053' }),
    'all-faults': Flags.boolean({
      description: 'every fault of each payment; without it the first of each payment in a message with several',
    }),
    compact: Flags.boolean({ description: 'one line per fault: FILE:LINE:COLUMN: CODE PATH: expected' }),
  }

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(IsoValidate)
    const { MAX_BODY_BYTES, faultJson, parseMessage } = await import('../../src/features/iso20022/message/index.js')
    const { validatedFamily } = await import('../../src/cli/iso/explain.js')
    const options = { family: flags.family === undefined ? undefined : validatedFamily(flags.family) }
    const isAll = flags['all-faults']
    // One byte more than the parser takes, so that it is the parser that refuses what is larger.
    const read = (file: string): Promise<Buffer> => readInput(file, Math.max(MAX_BODY_BYTES + 1, 32 * 1024 * 1024))
    const files = argv.map(String)
    const [first = '-'] = files
    if (files.length > 1 || flags.compact) {
      const results = await validateFiles(
        files,
        async (file) => parseMessage(await read(file), options),
        faultJson,
        isAll,
      )
      this.out.result(results, validityLines(results))
      return this.exitWith(batchExit(results))
    }
    const result = parseMessage(await read(first), options)
    if (!result.ok) throw faultsOf(inputName(first), result.stage, allFaults(result, isAll))
    for (const { path, code, expected, hint } of result.warnings) {
      this.out.note(`note: ${path}: ${code}, expected ${expected}${hint === '' ? '' : ` (${hint})`}`)
    }
    const { view, text } = messageView(result.message, result.warnings.map(faultJson), isAll)
    this.out.result(view, text)
    if (result.message.booked?.payments.some(({ ok }) => !ok) === true) this.exitWith(EXIT.badInput)
  }
}
