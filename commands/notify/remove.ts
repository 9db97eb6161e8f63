import { deviceArg } from '../../src/cli/command/flags.js'
import { SignedCommand } from '../../src/cli/command/signed-command.js'
import { textOf } from '../../src/cli/gateway/gateway.js'

export default class NotifyRemove extends SignedCommand {
  static override description = 'Remove a device: it gets no more notifications.'
  static override examples = ['<%= config.bin %> notify remove 5f0c1a2b3c4d5e6f5f0c1a2b3c4d5e6f --key-file alice.json']
  static override args = deviceArg

  async run(): Promise<void> {
    const { args, flags } = await this.parse(NotifyRemove)
    const record = await this.askSigned(flags, ({ notify }) => notify.remove, { params: { id: args.id } })
    this.out.result(record, `removed ${textOf(record.id)}`)
  }
}
