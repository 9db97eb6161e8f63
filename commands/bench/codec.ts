import { Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { pairs } from '../../src/cli/terminal/output.js'

export default class BenchCodec extends BaseCommand {
  static override description =
    `Measure how many signed transfers per second this machine encodes, decodes and converts to and from JSON, on one thread.
It needs no network.`
  static override examples = ['<%= config.bin %> bench codec', '<%= config.bin %> bench codec --each 3s --json']
  static override flags = {
    each: Flags.string({ description: 'duration of each operation', default: '1s', helpValue: 'DURATION' }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(BenchCodec)
    const { parseDuration } = await import('../../src/cli/input/duration.js')
    const { codecSpeed, speedRows, speedsJson } = await import('../../src/cli/setup/machine-speed.js')
    const { bytes, speeds } = await codecSpeed(parseDuration(flags.each, '--each'))
    this.out.result(
      { bytes, operations: speedsJson(speeds) },
      pairs([['record', `a signed transfer of ${bytes} bytes`], ...speedRows(speeds)]),
    )
  }
}
