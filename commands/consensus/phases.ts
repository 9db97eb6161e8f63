import { ReadCommand } from '../../src/cli/command/read-command.js'

export default class ConsensusPhases extends ReadCommand {
  static override description = 'Show the latest and the average duration of each phase, in microseconds.'
  static override examples = ['<%= config.bin %> consensus phases', '<%= config.bin %> consensus phases --json']

  async run(): Promise<void> {
    const { flags } = await this.parse(ConsensusPhases)
    await this.show(flags, ({ consensus }) => consensus.phases)
  }
}
