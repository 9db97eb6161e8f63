import { ReadCommand } from '../../../src/cli/command/read-command.js'
import { accountArg } from '../../../src/cli/input/texts.js'

export default class ConferenceRelayShow extends ReadCommand {
  static override description = 'Show a relay: its key, its last report, its counters.'
  static override examples = ['<%= config.bin %> conference relay show relay1@bank']
  static override args = { relay: accountArg({ description: 'address or alias', required: true, ignoreStdin: true }) }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ConferenceRelayShow)
    await this.show(flags, ({ conference }) => conference.relay, { params: { relay_id: args.relay } })
  }
}
