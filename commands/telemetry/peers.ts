import { ReadCommand } from '../../src/cli/command/read-command.js'

export default class TelemetryPeers extends ReadCommand {
  static override description =
    `Show peers as measured by one node: over its links, and at the gateways that it watches.
Values that are not measured are absent. A node watches the gateways of telemetry.gateways in its configuration.`
  static override examples = ['<%= config.bin %> telemetry peers', '<%= config.bin %> telemetry peers --json']

  async run(): Promise<void> {
    const { flags } = await this.parse(TelemetryPeers)
    await this.show(flags, ({ telemetry }) => telemetry.peers)
  }
}
