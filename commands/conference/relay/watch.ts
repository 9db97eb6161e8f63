import { BaseCommand } from '../../../src/cli/command/base-command.js'
import { followSubject } from '../../../src/cli/conference/watch.js'
import { tailFlags } from '../../../src/cli/gateway/tail.js'

export default class ConferenceRelayWatch extends BaseCommand {
  static override description =
    'Print registrations and reports of relays as they are committed, one line each, NDJSON with --json.'
  static override examples = ['<%= config.bin %> conference relay watch']
  static override flags = tailFlags

  async run(): Promise<void> {
    const { flags } = await this.parse(ConferenceRelayWatch)
    this.exitWith(
      await followSubject(await this.settings(flags), this.out, 'conference_relay', flags.limit, () => true),
    )
  }
}
