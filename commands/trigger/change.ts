import { Args, Flags } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'

export default class TriggerChange extends LedgerCommand {
  static override description =
    'Set how often a trigger still runs, and enable or disable it. One that failed three times in a row was disabled automatically.'
  static override examples = [
    '<%= config.bin %> trigger change rent --repeats 12 --key-file alice.json',
    '<%= config.bin %> trigger change rent --off',
  ]
  static override args = {
    trigger: Args.string({ description: 'name of the trigger', required: true, ignoreStdin: true }),
  }
  static override flags = {
    repeats: Flags.integer({ description: 'runs that are left (default: for ever)', min: 1 }),
    off: Flags.boolean({ description: 'switch it off (default: on)', default: false }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(TriggerChange)
    const record = { id: args.trigger, repeats: flags.repeats ?? null, enabled: !flags.off }
    await this.send(flags, () => [{ ChangeRepeats: record }])
  }
}
