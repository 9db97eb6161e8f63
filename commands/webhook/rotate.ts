import { isoTime } from '../../src/cli/text/figures.js'
import { secretFlags, WebhookCommand, webhookArg } from '../../src/cli/webhook/command.js'

export default class WebhookRotate extends WebhookCommand {
  static override description =
    'Replace the secret of a webhook. For a day deliveries carry signatures of both secrets, so that the endpoint can switch.'
  static override examples = [
    '<%= config.bin %> webhook rotate 5f0c1a2b3c4d5e6f --secret-out new.secret --key-file alice.json',
  ]
  static override args = webhookArg
  static override flags = secretFlags

  async run(): Promise<void> {
    const { args, flags } = await this.parse(WebhookRotate)
    const record = await this.ask(flags, ({ rotate }) => rotate, { id: args.id })
    const until = isoTime(record.previous_until_ms)
    await this.secretResult(record, flags['secret-out'], `the previous secret signs until ${until}`)
  }
}
