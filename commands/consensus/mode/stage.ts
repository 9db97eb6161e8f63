import { Args, Flags } from '@oclif/core'
import { writeFlags } from '../../../src/cli/command/flags.js'
import { LedgerCommand } from '../../../src/cli/ledger/command.js'
import { instructions as staking } from '../../../src/features/staking/schema/instructions.js'

export default class ConsensusModeStage extends LedgerCommand {
  static override description =
    `Schedule a change of the consensus mode at a future height, as a holder of CanSetParameters.
npos elects the current candidates, and is cancelled if there are too few. permissioned continues with the registered validators.`
  static override examples = [
    '<%= config.bin %> consensus mode stage npos --height 5000 --key-file admin.json',
    '<%= config.bin %> consensus mode stage permissioned --height 9000 --key-file admin.json',
  ]
  static override args = {
    mode: Args.string({
      description: 'next mode',
      required: true,
      options: ['permissioned', 'npos'],
      ignoreStdin: true,
    }),
  }
  static override flags = {
    height: Flags.integer({ description: 'first height of the new mode', required: true, min: 1 }),
    force: Flags.boolean({
      description: 'change to permissioned even if too few of its validators signed recently',
      default: false,
    }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ConsensusModeStage)
    const { height, force } = flags
    const mode = args.mode === 'npos' ? 'Npos' : 'Permissioned'
    await this.send(flags, ({ read }) => [
      read(staking.stageMode, { next_mode: mode, mode_activation_height: height, force }),
    ])
  }
}
