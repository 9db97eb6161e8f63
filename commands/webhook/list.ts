import { textOf, viewsOf } from '../../src/cli/gateway/gateway.js'
import { table } from '../../src/cli/terminal/output.js'
import { WebhookCommand } from '../../src/cli/webhook/command.js'

export default class WebhookList extends WebhookCommand {
  static override description = 'List your webhooks on a node; an operator sees all webhooks.'
  static override examples = ['<%= config.bin %> webhook list --key-file alice.json']

  async run(): Promise<void> {
    const { flags } = await this.parse(WebhookList)
    const record = await this.ask(flags, ({ list }) => list)
    const rows = viewsOf(record.items).map((one) =>
      [one.id, one.state, one.lag_blocks, one.delivered, one.dead, one.url].map((value) => textOf(value) ?? ''),
    )
    this.out.result(record, table(['WEBHOOK', 'STATE', 'LAG', 'DELIVERED', 'DEAD', 'URL'], rows))
  }
}
