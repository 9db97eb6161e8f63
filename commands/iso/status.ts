import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/base-command.js'
import { withGateway } from '../../src/cli/gateway.js'
import { asView, recordText, signsRequests } from '../../src/cli/iso.js'

export default class IsoStatus extends BaseCommand {
  static override description = 'Show where a submitted message stands, derived from the ledger.'
  static override examples = [
    '<%= config.bin %> iso status PAY-2026-000001',
    '<%= config.bin %> iso status PAY-1 --family pacs009 --json',
  ]
  static override args = {
    'message-id': Args.string({ description: 'id of the message', required: true, ignoreStdin: true }),
  }
  static override flags = {
    family: Flags.option({ options: ['pacs008', 'pacs009'] as const, description: 'when both families have the id' })(),
    submitter: Flags.string({ description: 'when several submitters have the id: address of one' }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(IsoStatus)
    const settings = await this.settings(flags)
    const { family, submitter } = flags
    const filter = {
      ...(family === undefined ? {} : { family }),
      ...(submitter === undefined ? {} : { submitter }),
    }
    const record = asView(
      await withGateway(settings, (client) => client.isoStatus(args['message-id'], filter), {
        signed: signsRequests(settings),
      }),
    )
    this.out.result(record, recordText(record))
  }
}
