import { Args, Flags } from '@oclif/core'
import { writeFlags } from '../../../src/cli/command/flags.js'
import { LedgerCommand } from '../../../src/cli/ledger/command.js'
import { instructions as staking } from '../../../src/features/staking/schema/instructions.js'

export default class ConsensusModeStage extends LedgerCommand {
  static override description = `Change how validators come to be, at a height to come: by a holder of CanSetParameters.
To npos those are elected who stand then; with too few the change is cancelled. To permissioned the registered validators go on.`
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
      description: 'to permissioned although too few of its validators signed lately',
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
