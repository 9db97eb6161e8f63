import { WebhookCommand, webhookArg } from '../../src/cli/webhook/command.js'

export default class WebhookShow extends WebhookCommand {
  static override description = 'Show a webhook: its position and the state of its endpoint.'
  static override examples = ['<%= config.bin %> webhook show 5f0c1a2b3c4d5e6f --key-file alice.json']
  static override args = webhookArg

  async run(): Promise<void> {
    const { args, flags } = await this.parse(WebhookShow)
    await this.askAndShow(flags, ({ show }) => show, args.id)
  }
}
