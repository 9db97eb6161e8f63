import { table } from '../../src/cli/command/output.js'
import { textOf, type View } from '../../src/cli/gateway/gateway.js'
import { WebhookCommand, webhookArg } from '../../src/cli/webhook/command.js'

export default class WebhookDead extends WebhookCommand {
  static override description = 'List the events that the endpoint of a webhook refused three times, oldest first.'
  static override examples = ['<%= config.bin %> webhook dead 5f0c1a2b3c4d5e6f --key-file alice.json']
  static override args = webhookArg

  async run(): Promise<void> {
    const { args, flags } = await this.parse(WebhookDead)
    const record = await this.ask(flags, ({ dead }) => dead, { id: args.id })
    const rows = (record.items as readonly View[]).map((one) => [
      new Date(Number(one.at_ms)).toISOString(),
      ...[one.event, one.type, one.attempts, one.status].map((value) => textOf(value) ?? ''),
    ])
    this.out.result(record, table(['TIME', 'EVENT', 'TYPE', 'ATTEMPTS', 'STATUS'], rows))
  }
}
