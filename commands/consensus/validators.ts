import { Args, Flags } from '@oclif/core'
import { ReadCommand } from '../../src/cli/command/read-command.js'

export default class ConsensusValidators extends ReadCommand {
  static override description = 'Show roster and committee of a height, or of the latest heights, newest first.'
  static override examples = [
    '<%= config.bin %> consensus validators',
    '<%= config.bin %> consensus validators 120 --json',
    '<%= config.bin %> consensus validators --limit 5',
  ]
  static override args = { height: Args.integer({ description: 'height of a block', min: 1, ignoreStdin: true }) }
  static override flags = {
    limit: Flags.integer({ description: 'maximum number of heights', default: 20, min: 1, max: 128 }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ConsensusValidators)
    const { height } = args
    if (height === undefined)
      return this.show(flags, ({ peers }) => peers.validatorSets, { query: { limit: flags.limit } })
    await this.show(flags, ({ peers }) => peers.validatorSet, { params: { height } })
  }
}
