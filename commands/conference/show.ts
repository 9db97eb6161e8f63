import { ReadCommand } from '../../src/cli/command/read-command.js'
import { callArg } from '../../src/cli/conference/forms.js'

export default class ConferenceShow extends ReadCommand {
  static override description = 'Show a call: its policy, its counters, its relays.'
  static override examples = [
    '<%= config.bin %> conference show bank:standup',
    '<%= config.bin %> conference show bank:standup --json',
  ]
  static override args = callArg

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ConferenceShow)
    await this.show(flags, ({ conference }) => conference.call, { params: { id: args.call } })
  }
}
