import { Flags } from '@oclif/core'
import { ReadCommand } from '../../src/cli/command/read-command.js'

export default class ConsensusCheckpoints extends ReadCommand {
  static override description = 'Show the latest heights with state root, rosters and certificate, newest first.'
  static override examples = [
    '<%= config.bin %> consensus checkpoints',
    '<%= config.bin %> consensus checkpoints --limit 3 --json',
  ]
  static override flags = {
    limit: Flags.integer({ description: 'maximum number of heights', default: 20, min: 1, max: 128 }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(ConsensusCheckpoints)
    await this.show(flags, ({ peers }) => peers.checkpoints, { query: { limit: flags.limit } })
  }
}
