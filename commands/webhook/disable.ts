import { WebhookCommand, webhookArg } from '../../src/cli/webhook/command.js'

export default class WebhookDisable extends WebhookCommand {
  static override description = 'Pause a webhook and keep its cursor.'
  static override examples = ['<%= config.bin %> webhook disable 5f0c1a2b3c4d5e6f --key-file alice.json']
  static override args = webhookArg

  async run(): Promise<void> {
    const { args, flags } = await this.parse(WebhookDisable)
    await this.askAndShow(flags, ({ disable }) => disable, args.id)
  }
}
