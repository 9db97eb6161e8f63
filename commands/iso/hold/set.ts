import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../../src/cli/command/base-command.js'
import { decide, decisionFlags } from '../../../src/cli/iso/operator.js'
import { usageError } from '../../../src/cli/terminal/failure.js'

export default class IsoHoldSet extends BaseCommand {
  static override description = `Change settlement date or reference of a held message: ACWC, until it is released.
The key must be one of gateway.operator_keys.`
  static override examples = [
    '<%= config.bin %> iso hold set PAY-1 --settlement-date 2026-03-05 --release --key-file operator.json',
  ]
  static override args = {
    'message-id': Args.string({ description: 'id of the message', required: true, ignoreStdin: true }),
  }
  static override flags = {
    'settlement-date': Flags.string({ description: 'YYYY-MM-DD' }),
    reference: Flags.string({ description: 'replaces the end-to-end id' }),
    release: Flags.boolean({ description: 'release it in the same step' }),
    ...decisionFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(IsoHoldSet)
    const { reference, release } = flags
    const date = flags['settlement-date']
    if (date === undefined && reference === undefined) {
      throw usageError('no change is given', 'Give --settlement-date or --reference.')
    }
    const fields = { settlement_date: date, reference, release }
    await decide(await this.settings(flags), this.out, args['message-id'], 'change', flags, fields)
  }
}
