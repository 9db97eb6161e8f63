import { BaseCommand } from '../../src/cli/command/base-command.js'
import { signsRequests, withStreams } from '../../src/cli/gateway/gateway.js'
import { follow, tailFlags } from '../../src/cli/gateway/tail.js'
import { telemetryLine } from '../../src/cli/gateway/telemetry-line.js'

export default class TelemetryWatch extends BaseCommand {
  static override description =
    `Print peers and the propagation of blocks as they change, one line each, NDJSON with --json.
The full state comes first, and again after a lost connection.`
  static override examples = [
    '<%= config.bin %> telemetry watch',
    '<%= config.bin %> telemetry watch --json --limit 10',
  ]
  static override flags = { ...tailFlags }

  async run(): Promise<void> {
    const { flags } = await this.parse(TelemetryWatch)
    const settings = await this.settings(flags)
    const { LIVE_EVENTS } = await import('../../src/features/telemetry/schema.js')
    const exit = await withStreams(
      settings,
      (client) =>
        follow(
          (signal) => client.telemetry({ signal }),
          flags.limit,
          (item) => {
            const schema = LIVE_EVENTS[item.event] as { toJson(value: unknown): unknown }
            this.out.line({ event: item.event, ...(schema.toJson(item.value) as object) }, telemetryLine(item))
          },
        ),
      { signed: signsRequests(settings) },
    )
    this.exitWith(exit)
  }
}
