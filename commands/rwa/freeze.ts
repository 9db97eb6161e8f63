import { Flags } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { lotArg, reasonFlag } from '../../src/cli/rwa/forms.js'
import { instructions } from '../../src/features/rwas/schema/instructions.js'

export default class RwaFreeze extends LedgerCommand {
  static override description =
    'Freeze a lot, or end its freeze, as the owner of its class or a holder of CanControl. A frozen lot does not move.'
  static override examples = [
    '<%= config.bin %> rwa freeze gold#bank/1 --reason "court order 7" --key-file admin.json',
    '<%= config.bin %> rwa freeze gold#bank/1 --end --reason settled',
  ]
  static override args = lotArg
  static override flags = {
    end: Flags.boolean({ description: 'end the freeze' }),
    ...reasonFlag,
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(RwaFreeze)
    const { end, reason } = flags
    await this.send(flags, ({ read }) => [read(instructions.freezeRwa, { lot: args.lot, frozen: !end, reason })])
  }
}
