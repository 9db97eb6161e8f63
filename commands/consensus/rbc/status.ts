import { ReadCommand } from '../../../src/cli/command/read-command.js'

export default class ConsensusRbcStatus extends ReadCommand {
  static override description =
    'Show statistics of reliable broadcast: sessions, store pressure, backlog per lane and dataspace.'
  static override examples = ['<%= config.bin %> consensus rbc status', '<%= config.bin %> consensus rbc status --json']

  async run(): Promise<void> {
    const { flags } = await this.parse(ConsensusRbcStatus)
    await this.show(flags, ({ node }) => node.rbc)
  }
}
