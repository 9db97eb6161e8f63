import { ReadCommand } from '../../../src/cli/command/read-command.js'

export default class ConferenceRelayHealth extends ReadCommand {
  static override description = 'Show how relays do: by their last reports, in all and by domain.'
  static override examples = [
    '<%= config.bin %> conference relay health',
    '<%= config.bin %> conference relay health --json',
  ]

  async run(): Promise<void> {
    const { flags } = await this.parse(ConferenceRelayHealth)
    await this.show(flags, ({ conference }) => conference.relayHealth)
  }
}
