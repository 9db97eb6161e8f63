import { ReadCommand } from '../../src/cli/command/read-command.js'

export default class ConsensusQc extends ReadCommand {
  static override description =
    'Show the highest prepare certificate, the locked certificate of this node, and the last commit certificate.'
  static override examples = ['<%= config.bin %> consensus qc', '<%= config.bin %> consensus qc --json']

  async run(): Promise<void> {
    const { flags } = await this.parse(ConsensusQc)
    await this.show(flags, ({ consensus }) => consensus.qc)
  }
}
