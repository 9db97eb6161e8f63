import { ReadCommand } from '../../src/cli/command/read-command.js'

export default class ConsensusStatus extends ReadCommand {
  static override description =
    'Show consensus in detail: last certificate, state root, view, committee, phases, and the reason of a stall.'
  static override examples = ['<%= config.bin %> consensus status', '<%= config.bin %> consensus status --json']

  async run(): Promise<void> {
    const { flags } = await this.parse(ConsensusStatus)
    await this.show(flags, ({ node }) => node.consensusStatus)
  }
}
