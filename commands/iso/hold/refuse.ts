import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../../src/cli/command/base-command.js'
import { decide, decisionFlags } from '../../../src/cli/iso/operator.js'

export default class IsoHoldRefuse extends BaseCommand {
  static override description =
    `Refuse a held message: RJCT with an ISO reason. It is not paid, and the same message is not accepted again.
The key must be one of gateway.operator_keys.`
  static override examples = [
    '<%= config.bin %> iso hold refuse PAY-1 --reason AG01 --text "not in our risk policy" --key-file operator.json',
  ]
  static override args = {
    'message-id': Args.string({ description: 'id of the message', required: true, ignoreStdin: true }),
  }
  static override flags = {
    reason: Flags.string({ description: 'ISO external status reason; `iso codes` lists them', default: 'NARR' }),
    text: Flags.string({ description: 'text for the sender, at most 105 characters' }),
    ...decisionFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(IsoHoldRefuse)
    const fields = { reason_code: flags.reason, text: flags.text }
    await decide(await this.settings(flags), this.out, args['message-id'], 'refuse', flags, fields)
  }
}
