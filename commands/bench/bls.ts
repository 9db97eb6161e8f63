import { Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { pairs } from '../../src/cli/terminal/output.js'

export default class BenchBls extends BaseCommand {
  static override description =
    `Measure how many BLS signatures and certificates per second this machine creates and verifies, on one thread.
It prints the library used; CAUSEWAY_BLS_BACKEND chooses another. It needs no network.`
  static override examples = ['<%= config.bin %> bench bls', '<%= config.bin %> bench bls --each 3s --json']
  static override flags = {
    each: Flags.string({ description: 'duration of each operation', default: '1s', helpValue: 'DURATION' }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(BenchBls)
    const { parseDuration } = await import('../../src/cli/input/duration.js')
    const { blsSpeed, speedRows, speedsJson } = await import('../../src/cli/setup/machine-speed.js')
    const { backend, speeds } = await blsSpeed(parseDuration(flags.each, '--each'))
    this.out.result({ backend, operations: speedsJson(speeds) }, pairs([['library', backend], ...speedRows(speeds)]))
  }
}
