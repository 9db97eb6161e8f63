import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { routePath, signsRequests, viewsOf, withGateway } from '../../src/cli/gateway/gateway.js'
import { accountFlag } from '../../src/cli/input/texts.js'
import { paymentTable, recordText } from '../../src/cli/iso/iso.js'

export default class IsoStatus extends BaseCommand {
  static override description = 'Show the status of a submitted message, derived from the ledger.'
  static override examples = [
    '<%= config.bin %> iso status PAY-2026-000001',
    '<%= config.bin %> iso status SALARIES-03 --payments --status RJCT',
    '<%= config.bin %> iso status PAY-1 --family pacs009 --json',
    '<%= config.bin %> iso status PAY-1 --xml > status.xml',
  ]
  static override args = {
    'message-id': Args.string({ description: 'id of the message', required: true, ignoreStdin: true }),
  }
  static override flags = {
    family: Flags.option({ options: ['pacs008', 'pacs009'] as const, description: 'when both families have the id' })(),
    submitter: accountFlag({ description: 'when several submitters have the id: address of one' }),
    payments: Flags.boolean({ description: 'list the payments of a message with several', exclusive: ['xml'] }),
    status: Flags.string({
      description: 'list those with this pacs.002 code only, such as RJCT',
      dependsOn: ['payments'],
    }),
    cursor: Flags.string({ description: 'next_cursor of the page before', dependsOn: ['payments'] }),
    limit: Flags.integer({
      description: 'payments of a page (default 100)',
      min: 1,
      max: 500,
      dependsOn: ['payments'],
    }),
    xml: Flags.boolean({ description: 'print it as a pacs.002.001.10 document', exclusive: ['json'] }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(IsoStatus)
    const settings = await this.settings(flags)
    const { family, submitter } = flags
    const filter = { family, submitter }
    if (flags.xml) {
      const texts = { params: { msg_id: args['message-id'] }, query: filter }
      const path = await routePath(({ iso20022 }) => iso20022.status, texts)
      const answer = await withGateway(settings, (client) => client.api('GET', path, { accept: 'application/xml' }), {
        signed: signsRequests(settings),
      })
      return this.out.raw(answer.body)
    }
    if (flags.payments) {
      const { status, cursor, limit } = flags
      const asked = { ...filter, status, cursor, limit }
      const page = await withGateway(settings, (client) => client.isoPayments(args['message-id'], asked), {
        signed: signsRequests(settings),
      })
      const items = viewsOf(page.items)
      const more = page.next_cursor == null ? '' : `\nmore with --cursor ${String(page.next_cursor)}`
      return this.out.result(page, paymentTable(items) + more)
    }
    const record = await withGateway(settings, (client) => client.isoStatus(args['message-id'], filter), {
      signed: signsRequests(settings),
    })
    this.out.result(record, recordText(record))
  }
}
