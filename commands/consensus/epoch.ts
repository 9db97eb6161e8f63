import { Args } from '@oclif/core'
import { ReadCommand } from '../../src/cli/command/read-command.js'

export default class ConsensusEpoch extends ReadCommand {
  static override description =
    'Show the current epoch, or another stored one: its calendar, seats, election and randomness.'
  static override examples = ['<%= config.bin %> consensus epoch', '<%= config.bin %> consensus epoch 3 --json']
  static override args = { epoch: Args.integer({ description: 'number of the epoch', ignoreStdin: true }) }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ConsensusEpoch)
    await this.show(flags, ({ staking }) => staking.epoch, { query: { epoch: args.epoch } })
  }
}
