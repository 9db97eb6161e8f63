import { ReadCommand } from '../../src/cli/command/read-command.js'

export default class ConsensusCollectors extends ReadCommand {
  static override description = 'Show the vote collectors of the current view.'
  static override examples = ['<%= config.bin %> consensus collectors', '<%= config.bin %> consensus collectors --json']

  async run(): Promise<void> {
    const { flags } = await this.parse(ConsensusCollectors)
    await this.show(flags, ({ consensus }) => consensus.collectors)
  }
}
