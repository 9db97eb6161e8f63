import { Args } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { instructions as triggers } from '../../src/features/triggers/schema.js'

export default class TriggerUnregister extends LedgerCommand {
  static override description = 'Remove a trigger.'
  static override examples = ['<%= config.bin %> trigger unregister rent --key-file alice.json']
  static override args = {
    trigger: Args.string({ description: 'name of the trigger', required: true, ignoreStdin: true }),
  }
  static override flags = {
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(TriggerUnregister)
    await this.send(flags, ({ read }) => [read(triggers.unregisterTrigger, { id: args.trigger })])
  }
}
