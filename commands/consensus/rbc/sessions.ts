import { ReadCommand } from '../../../src/cli/command/read-command.js'

export default class ConsensusRbcSessions extends ReadCommand {
  static override description = 'Show sessions of reliable broadcast: chunks, readiness, delivery.'
  static override examples = [
    '<%= config.bin %> consensus rbc sessions',
    '<%= config.bin %> consensus rbc sessions --json',
  ]

  async run(): Promise<void> {
    const { flags } = await this.parse(ConsensusRbcSessions)
    await this.show(flags, ({ node }) => node.rbcSessions)
  }
}
