import { Flags } from '@oclif/core'
import { SignedCommand } from '../../../src/cli/command/signed-command.js'
import { textOf } from '../../../src/cli/gateway/gateway.js'
import { pairs } from '../../../src/cli/terminal/output.js'
import { isoTime } from '../../../src/cli/text/figures.js'

export default class OperatorPasskeyAdd extends SignedCommand {
  static override description =
    `Create a passkey for your operator key in a browser: prints the page to open, once, within ten minutes.
Anyone who opens the page gets the passkey: do not share the address.`
  static override examples = ['<%= config.bin %> operator passkey add --label laptop --key-file operator.json']
  static override flags = {
    label: Flags.string({ description: 'name of the passkey, in the browser and in lists', required: true }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(OperatorPasskeyAdd)
    const record = await this.askSigned(flags, ({ passkeys }) => passkeys.ticket, { body: { label: flags.label } })
    const until = isoTime(record.expires_at_ms)
    this.out.result(
      record,
      pairs([
        ['open', textOf(record.url)],
        ['until', until],
      ]),
    )
  }
}
