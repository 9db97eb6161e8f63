import { Args } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { decide, decisionFlags } from '../../src/cli/iso/operator.js'

export default class IsoRelease extends BaseCommand {
  static override description =
    `Release a held message: it is validated again against the current state, and sent (ACSP).
Shows the message first and releases exactly the shown one, once, even if several operators do so. The key must be one of gateway.operator_keys.`
  static override examples = ['<%= config.bin %> iso release PAY-1 --key-file operator.json']
  static override args = {
    'message-id': Args.string({ description: 'id of the message', required: true, ignoreStdin: true }),
  }
  static override flags = decisionFlags

  async run(): Promise<void> {
    const { args, flags } = await this.parse(IsoRelease)
    await decide(await this.settings(flags), this.out, args['message-id'], 'release', flags)
  }
}
