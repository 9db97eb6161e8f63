import { eventArg, WebhookCommand, webhookArg } from '../../src/cli/webhook/command.js'

export default class WebhookRedeliver extends WebhookCommand {
  static override description =
    'Send a dead event once more; it is removed if the endpoint accepts it. Exits 10 if it does not.'
  static override examples = ['<%= config.bin %> webhook redeliver 5f0c1a2b3c4d5e6f 17.3 --key-file alice.json']
  static override args = { ...webhookArg, ...eventArg }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(WebhookRedeliver)
    const record = await this.ask(flags, ({ redeliver }) => redeliver, args)
    this.attemptResult(record)
  }
}
