import { WebhookCommand, webhookArg } from '../../src/cli/webhook/command.js'

export default class WebhookTest extends WebhookCommand {
  static override description =
    'Send a webhook.test to the endpoint of a webhook, once. Exits 10 when it does not take it.'
  static override examples = ['<%= config.bin %> webhook test 5f0c1a2b3c4d5e6f --key-file alice.json']
  static override args = webhookArg

  async run(): Promise<void> {
    const { args, flags } = await this.parse(WebhookTest)
    const record = await this.ask(flags, ({ test }) => test, { id: args.id })
    this.attemptResult(record)
  }
}
