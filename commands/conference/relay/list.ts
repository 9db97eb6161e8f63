import { ListCommand } from '../../../src/cli/command/list-command.js'
import { pageFlags } from '../../../src/cli/gateway/pages.js'

export default class ConferenceRelayList extends ListCommand {
  static override description =
    'List registered relays with their last reports. Needs a telemetry profile with metrics, or the key of an operator.'
  static override examples = ['<%= config.bin %> conference relay list']
  static override flags = pageFlags

  async run(): Promise<void> {
    const { flags } = await this.parse(ConferenceRelayList)
    const columns = {
      RELAY: 'relay_id',
      DOMAIN: 'domain',
      CLASS: 'bandwidth_class',
      STATUS: 'status',
      REPORTED: 'reported_at_ms',
    }
    await this.list(flags, ({ conference }) => conference.relays, columns)
  }
}
