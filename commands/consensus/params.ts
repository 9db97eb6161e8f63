import { ReadCommand } from '../../src/cli/command/read-command.js'

export default class ConsensusParams extends ReadCommand {
  static override description = 'Show the consensus parameters of the chain in effect.'
  static override examples = ['<%= config.bin %> consensus params', '<%= config.bin %> consensus params --json']

  async run(): Promise<void> {
    const { flags } = await this.parse(ConsensusParams)
    await this.show(flags, ({ peers }) => peers.consensusParams)
  }
}
