import { WebhookCommand, webhookArg } from '../../src/cli/webhook/command.js'

export default class WebhookRemove extends WebhookCommand {
  static override description = 'Remove a webhook with all its data on the node.'
  static override examples = ['<%= config.bin %> webhook remove 5f0c1a2b3c4d5e6f --key-file alice.json']
  static override args = webhookArg

  async run(): Promise<void> {
    const { args, flags } = await this.parse(WebhookRemove)
    await this.askAndShow(flags, ({ remove }) => remove, args.id)
  }
}
