import { Args, Flags } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { parseJsonText } from '../../src/cli/input/json.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { instructions as triggers } from '../../src/features/triggers/schema.js'

export default class TriggerCall extends LedgerCommand {
  static override description = 'Run a trigger of the kind --call.'
  static override examples = [
    '<%= config.bin %> trigger call sweep --key-file alice.json',
    '<%= config.bin %> trigger call sweep --args \'{"reason": "end of day"}\'',
  ]
  static override args = {
    trigger: Args.string({ description: 'name of the trigger', required: true, ignoreStdin: true }),
  }
  static override flags = {
    args: Flags.string({
      description: 'JSON to include in the event of the call',
      default: 'null',
      helpValue: 'JSON',
    }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(TriggerCall)
    const value = parseJsonText(flags.args, '--args')
    await this.send(flags, ({ read }) => [read(triggers.executeTrigger, { id: args.trigger, args: value })])
  }
}
