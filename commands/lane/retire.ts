import { Args } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { LaneCommand } from '../../src/cli/lane/command.js'
import { laneOf, updateLanes } from '../../src/cli/lane/lane.js'

export default class LaneRetire extends LaneCommand {
  static override description =
    `Retire a lane: it receives no more transactions; its blocks stay on disk, under retired/.
The key must hold CanManageLanes. Lane 0, the default lane and a lane in a rule are refused: change the policy first.`
  static override examples = ['<%= config.bin %> lane retire 3 --key-file admin.json']
  static override args = { lane: Args.string({ description: 'number of the lane', required: true, ignoreStdin: true }) }
  static override flags = { ...writeFlags }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(LaneRetire)
    const lane = laneOf(args.lane)
    await this.change(flags, (_latest, { read }) => updateLanes(read, { retire: [lane] }))
  }
}
