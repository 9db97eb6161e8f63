import { eventArg, WebhookCommand, webhookArg, webhookText } from '../../src/cli/webhook/command.js'

export default class WebhookForget extends WebhookCommand {
  static override description = 'Discard a dead event of a webhook.'
  static override examples = ['<%= config.bin %> webhook forget 5f0c1a2b3c4d5e6f 17.3 --key-file alice.json']
  static override args = { ...webhookArg, ...eventArg }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(WebhookForget)
    const record = await this.ask(flags, ({ forget }) => forget, args)
    this.out.result(record, webhookText(record))
  }
}
