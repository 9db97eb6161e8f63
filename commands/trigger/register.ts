import { Args, Flags } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { accountFlag } from '../../src/cli/input/texts.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { instructionsOfFile, metadataOf } from '../../src/cli/ledger/forms.js'
import { filterOf, triggerFlags } from '../../src/cli/ledger/trigger-forms.js'
import { instructions as triggers } from '../../src/features/triggers/schema.js'

export default class TriggerRegister extends LedgerCommand {
  static override description = `Register a trigger: instructions that run as an account on a condition.
Choose one of --call, --at, --every, --on and --pre-commit.`
  static override examples = [
    '<%= config.bin %> trigger register rent rent.json --every 30d --start 2027-01-01T00:00:00Z --key-file alice.json',
    '<%= config.bin %> trigger register tithe tithe.json --on asset --event transferred --account bob@bank',
    '<%= config.bin %> trigger register sweep sweep.json --call --repeats 3',
  ]
  static override args = {
    trigger: Args.string({ description: 'name of the trigger', required: true, ignoreStdin: true }),
    file: Args.string({
      description: 'file with the instructions in JSON, or - for standard input',
      required: true,
      ignoreStdin: true,
    }),
  }
  static override flags = {
    ...triggerFlags,
    as: accountFlag({ description: 'account that it runs as (default: account of the key)' }),
    repeats: Flags.integer({ description: 'number of runs (default: unlimited; once with --at)', min: 1 }),
    meta: Flags.string({ description: 'metadata key=value; may be repeated', multiple: true, helpValue: 'KEY=VALUE' }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(TriggerRegister)
    const instructions = await instructionsOfFile(args.file)
    const repeats = flags.repeats ?? (flags.at === undefined ? null : 1)
    await this.send(flags, async (drafting) => {
      const authority = await drafting.account(flags.as)
      const filter = await filterOf(flags, drafting)
      const metadata = metadataOf(flags.meta)
      return [
        drafting.read(triggers.registerTrigger, {
          id: args.trigger,
          authority,
          filter,
          instructions,
          repeats,
          metadata,
        }),
      ]
    })
  }
}
