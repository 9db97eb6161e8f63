import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { batchExit } from '../../src/cli/command/batch-exit.js'
import { inputName, readInput } from '../../src/cli/input/input.js'
import { faultsOf } from '../../src/cli/iso/iso.js'
import { messageView, validityLines, verdictsOf } from '../../src/cli/iso/validate.js'

export default class IsoValidate extends BaseCommand {
  static override description =
    `Check messages without a node: form, structure, values, totals. pacs.008 and pacs.009 in full, other families by
their field tables (\`iso explain\` lists them). A refused message exits 4 with every fault of its stage: path, line,
value, expectation, ISO reason, hint. Several files: one line per fault, FILE:LINE:COLUMN.`
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
    compact: Flags.boolean({ description: 'one line per fault: FILE:LINE:COLUMN: CODE PATH: expected' }),
  }

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(IsoValidate)
    const { MAX_BODY_BYTES, faultJson, parseMessage } = await import('../../src/features/iso20022/message/index.js')
    const options = { family: flags.family }
    // One byte more than the parser takes, so that it is the parser that refuses what is larger.
    const read = (file: string): Promise<Buffer> => readInput(file, Math.max(MAX_BODY_BYTES + 1, 32 * 1024 * 1024))
    const files = argv.map(String)
    const [first = '-'] = files
    if (files.length > 1 || flags.compact) {
      const verdicts = await verdictsOf(files, async (file) => parseMessage(await read(file), options), faultJson)
      this.out.result(verdicts, validityLines(verdicts))
      return this.exitWith(batchExit(verdicts))
    }
    const result = parseMessage(await read(first), options)
    if (!result.ok) throw faultsOf(inputName(first), result.stage, result.faults)
    for (const { path, code, expected, hint } of result.warnings) {
      this.out.note(`note: ${path}: ${code}, expected ${expected}${hint === '' ? '' : ` (${hint})`}`)
    }
    const { view, text } = messageView(result.message, result.warnings.map(faultJson))
    this.out.result(view, text)
  }
}
