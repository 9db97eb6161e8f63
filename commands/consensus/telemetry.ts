import { ReadCommand } from '../../src/cli/command/read-command.js'

export default class ConsensusTelemetry extends ReadCommand {
  static override description = 'Show view changes with their reasons, bad signatures by peer, and phases.'
  static override examples = ['<%= config.bin %> consensus telemetry', '<%= config.bin %> consensus telemetry --json']

  async run(): Promise<void> {
    const { flags } = await this.parse(ConsensusTelemetry)
    await this.show(flags, ({ consensus }) => consensus.telemetry)
  }
}
