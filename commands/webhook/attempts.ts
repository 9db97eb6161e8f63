import { WebhookCommand, webhookArg } from '../../src/cli/webhook/command.js'

export default class WebhookAttempts extends WebhookCommand {
  static override description = 'List the last hundred attempts of a webhook since its node started, newest first.'
  static override examples = ['<%= config.bin %> webhook attempts 5f0c1a2b3c4d5e6f --key-file alice.json']
  static override args = webhookArg

  async run(): Promise<void> {
    const { args, flags } = await this.parse(WebhookAttempts)
    const record = await this.ask(flags, ({ attempts }) => attempts, { id: args.id })
    this.eventsResult(record, {
      EVENT: 'event',
      RESULT: 'result',
      STATUS: 'status',
      TOOK: 'duration_ms',
      REASON: 'reason',
    })
  }
}
