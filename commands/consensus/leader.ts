import { ReadCommand } from '../../src/cli/command/read-command.js'

export default class ConsensusLeader extends ReadCommand {
  static override description = 'Show the proposer of the current view.'
  static override examples = ['<%= config.bin %> consensus leader', '<%= config.bin %> consensus leader --json']

  async run(): Promise<void> {
    const { flags } = await this.parse(ConsensusLeader)
    await this.show(flags, ({ consensus }) => consensus.leader)
  }
}
