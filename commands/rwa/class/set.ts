import { Flags } from '@oclif/core'
import { writeFlags } from '../../../src/cli/command/flags.js'
import { LedgerCommand } from '../../../src/cli/ledger/command.js'
import { camelCase, RWA_POWERS } from '../../../src/cli/rwa/classes.js'
import { classArg } from '../../../src/cli/rwa/forms.js'
import { usageError } from '../../../src/cli/terminal/failure.js'
import { pascalCase } from '../../../src/codec/index.js'
import { instructions } from '../../../src/features/rwas/schema/instructions.js'

export default class RwaClassSet extends LedgerCommand {
  static override description =
    `Pause or resume a class, or clear powers over its lots permanently. The key must own the definition.
While a class is paused, its lots do not move.`
  static override examples = [
    '<%= config.bin %> rwa class set gold#bank --pause --key-file admin.json',
    '<%= config.bin %> rwa class set gold#bank --clear force',
  ]
  static override args = classArg
  static override flags = {
    pause: Flags.boolean({ description: 'pause the class; --no-pause resumes it', allowNo: true }),
    clear: Flags.option({ options: RWA_POWERS, description: 'power to clear; may be repeated', multiple: true })(),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(RwaClassSet)
    const { pause, clear = [] } = flags
    if (pause === undefined && clear.length === 0)
      throw usageError('no change is given', 'Give --pause, --no-pause or --clear.')
    await this.send(flags, async ({ asset, read }) => [
      read(instructions.setRwaClass, {
        class: await asset(args.class),
        paused: pause ?? null,
        clear: clear.map((power) => pascalCase(camelCase(power))),
      }),
    ])
  }
}
