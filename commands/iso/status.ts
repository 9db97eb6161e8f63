import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { routePath, signsRequests, withGateway } from '../../src/cli/gateway/gateway.js'
import { recordText } from '../../src/cli/iso/iso.js'

export default class IsoStatus extends BaseCommand {
  static override description = 'Show the status of a submitted message, derived from the ledger.'
  static override examples = [
    '<%= config.bin %> iso status PAY-2026-000001',
    '<%= config.bin %> iso status PAY-1 --family pacs009 --json',
    '<%= config.bin %> iso status PAY-1 --xml > status.xml',
  ]
  static override args = {
    'message-id': Args.string({ description: 'id of the message', required: true, ignoreStdin: true }),
  }
  static override flags = {
    family: Flags.option({
      options: ['pacs008', 'pacs009'] as const,
      description: 'family, if messages of both have this id',
    })(),
    submitter: Flags.string({
      description: 'address of the submitter, if several submitters have a message with this id',
    }),
    xml: Flags.boolean({ description: 'print a pacs.002.001.10 document', exclusive: ['json'] }),
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
    const record = await withGateway(settings, (client) => client.isoStatus(args['message-id'], filter), {
      signed: signsRequests(settings),
    })
    this.out.result(record, recordText(record))
  }
}
