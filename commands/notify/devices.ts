import { SignedCommand } from '../../src/cli/command/signed-command.js'
import { textOf, textsOf, viewsOf } from '../../src/cli/gateway/gateway.js'
import { table } from '../../src/cli/terminal/output.js'
import { isoTime } from '../../src/cli/text/figures.js'

export default class NotifyDevices extends SignedCommand {
  static override description = 'List your devices that a node notifies; an operator sees all devices.'
  static override examples = ['<%= config.bin %> notify devices --key-file alice.json']

  async run(): Promise<void> {
    const { flags } = await this.parse(NotifyDevices)
    const record = await this.askSigned(flags, ({ notify }) => notify.list)
    const rows = viewsOf(record.items).map((one) => [
      textOf(one.id) ?? '',
      textOf(one.platform) ?? '',
      textOf(one.host) ?? '-',
      textsOf(one.topics).join(' '),
      isoTime(one.expires_at_ms),
      textOf(one.sent) ?? '',
    ])
    this.out.result(record, table(['DEVICE', 'PLATFORM', 'HOST', 'TOPICS', 'UNTIL', 'SENT'], rows))
  }
}
