import { WebhookCommand, webhookArg } from '../../src/cli/webhook/command.js'

export default class WebhookEnable extends WebhookCommand {
  static override description = 'Resume a webhook from its cursor: no event was lost while it was disabled.'
  static override examples = ['<%= config.bin %> webhook enable 5f0c1a2b3c4d5e6f --key-file alice.json']
  static override args = webhookArg

  async run(): Promise<void> {
    const { args, flags } = await this.parse(WebhookEnable)
    await this.askAndShow(flags, ({ enable }) => enable, args.id)
  }
}
