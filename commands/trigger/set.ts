import { Args, Flags } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { getView } from '../../src/cli/gateway/gateway.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { instructions as triggers } from '../../src/features/triggers/schema.js'

export default class TriggerSet extends LedgerCommand {
  static override description =
    'Set the remaining runs of a trigger, or enable or disable it. A trigger that failed three times in a row was disabled automatically.'
  static override examples = [
    '<%= config.bin %> trigger set rent --repeats 12 --key-file alice.json',
    '<%= config.bin %> trigger set rent --off',
  ]
  static override args = {
    trigger: Args.string({ description: 'name of the trigger', required: true, ignoreStdin: true }),
  }
  static override flags = {
    repeats: Flags.integer({ description: 'remaining runs (default: unchanged)', min: 1 }),
    'for-ever': Flags.boolean({ description: 'no limit of runs', exclusive: ['repeats'] }),
    off: Flags.boolean({ description: 'disable it (default: enable)', default: false }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(TriggerSet)
    await this.send(flags, async ({ client, read }) => {
      const kept = async () => {
        const found = await getView(client, ({ triggers }) => triggers.trigger, {
          params: { id: args.trigger },
        })
        return found.repeats ?? null
      }
      const repeats = flags['for-ever'] ? null : (flags.repeats ?? (await kept()))
      return [read(triggers.changeRepeats, { id: args.trigger, repeats, enabled: !flags.off })]
    })
  }
}
