import { WebhookCommand, webhookArg } from '../../src/cli/webhook/command.js'

export default class WebhookTest extends WebhookCommand {
  static override description = 'Send one webhook.test to the endpoint of a webhook. Exits 10 if it is not accepted.'
  static override examples = ['<%= config.bin %> webhook test 5f0c1a2b3c4d5e6f --key-file alice.json']
  static override args = webhookArg

  async run(): Promise<void> {
    const { args, flags } = await this.parse(WebhookTest)
    const record = await this.ask(flags, ({ test }) => test, { id: args.id })
    this.attemptResult(record)
  }
}
