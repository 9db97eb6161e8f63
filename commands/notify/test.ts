import { deviceArg } from '../../src/cli/command/flags.js'
import { SignedCommand } from '../../src/cli/command/signed-command.js'
import { textOf } from '../../src/cli/gateway/gateway.js'
import { EXIT } from '../../src/model/errors.js'

export default class NotifyTest extends SignedCommand {
  static override description =
    `Send one test notification to a device. The exit code shows whether its push service accepted it.
It counts towards the limit: one in two seconds, 200 a day.`
  static override examples = ['<%= config.bin %> notify test 5f0c1a2b3c4d5e6f5f0c1a2b3c4d5e6f --key-file alice.json']
  static override args = deviceArg

  async run(): Promise<void> {
    const { args, flags } = await this.parse(NotifyTest)
    const record = await this.askSigned(flags, ({ notify }) => notify.test, { params: { id: args.id } })
    const { result, status, reason } = record
    const why = textOf(status) ?? textOf(reason)
    this.out.result(record, why === undefined ? `${textOf(result)}` : `${textOf(result)} (${why})`)
    this.exitWith(result === 'Sent' ? EXIT.ok : EXIT.checkFailed)
  }
}
