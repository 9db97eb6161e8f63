import { Args } from '@oclif/core'
import { SignedCommand } from '../../../src/cli/command/signed-command.js'
import { textOf } from '../../../src/cli/gateway/gateway.js'

export default class OperatorPasskeyRemove extends SignedCommand {
  static override description = 'Remove a passkey and end all sessions of its operator.'
  static override examples = [
    '<%= config.bin %> operator passkey remove 5f0c1a2b3c4d5e6f5f0c1a2b3c4d5e6f --key-file operator.json',
  ]
  static override args = {
    id: Args.string({ description: 'id of the passkey', required: true, ignoreStdin: true }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(OperatorPasskeyRemove)
    const record = await this.askSigned(flags, ({ passkeys }) => passkeys.remove, { params: { id: args.id } })
    this.out.result(record, `removed ${textOf(record.label)} (${textOf(record.id)})`)
  }
}
