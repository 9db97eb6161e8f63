import { WebhookCommand, webhookArg } from '../../src/cli/webhook/command.js'

export default class WebhookDead extends WebhookCommand {
  static override description =
    'List the dead events of a webhook, which its endpoint refused three times, oldest first.'
  static override examples = ['<%= config.bin %> webhook dead 5f0c1a2b3c4d5e6f --key-file alice.json']
  static override args = webhookArg

  async run(): Promise<void> {
    const { args, flags } = await this.parse(WebhookDead)
    const record = await this.ask(flags, ({ dead }) => dead, { id: args.id })
    this.eventsResult(record, { EVENT: 'event', TYPE: 'type', ATTEMPTS: 'attempts', STATUS: 'status' })
  }
}
