import { Args } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { readInput } from '../../src/cli/input/input.js'
import { EXIT } from '../../src/model/errors.js'

/** Size of a trace file, at most: traces of 100 steps have 0.7 MB, and the text is in memory as a whole. */
const TRACE_MAX_BYTES = 256 * 1024 * 1024

export default class SimFollow extends BaseCommand {
  static override description =
    `Follow traces of the specification of consensus (docs/spec/height.qnt) with the production state machine.
A trace is a file in the Informal Trace Format, as \`npm run spec -- --write FOLDER\` writes it. Each action of a correct member is made on
the real state machine; after each, its state, its vote log and everything that it sent are compared with the trace. The first
difference is printed, with exit code 10.`
  static override examples = ['<%= config.bin %> sim follow traces/n4_crashes-0.itf.json']
  static override strict = false
  static override args = {
    file: Args.string({
      description: 'trace in the Informal Trace Format; several are followed in turn',
      required: true,
    }),
  }

  async run(): Promise<void> {
    const { argv } = await this.parse(SimFollow)
    const { follow, readTrace } = await import('../../src/simulation/index.js')
    const results = []
    for (const file of argv.map(String)) {
      const trace = readTrace((await readInput(file, TRACE_MAX_BYTES)).toString())
      const difference = follow(trace)
      results.push({ file, module: trace.module, steps: trace.steps.length - 1, difference: difference ?? null })
    }
    const lines = results.map(({ file, module, steps, difference }) =>
      difference === null
        ? `${file}: ${module}, ${steps} steps followed`
        : `${file}: differs after step ${difference.step} (${difference.action}) at ${difference.member}
specification: ${difference.expected}
code:          ${difference.actual}`,
    )
    const ok = results.every(({ difference }) => difference === null)
    this.out.result({ ok, items: results }, lines.join('\n'))
    if (!ok) this.exitWith(EXIT.checkFailed)
  }
}
