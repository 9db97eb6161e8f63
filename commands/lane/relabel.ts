import { Args } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { LaneCommand } from '../../src/cli/lane/command.js'
import { laneOf, updateLanes } from '../../src/cli/lane/lane.js'

export default class LaneRelabel extends LaneCommand {
  static override description = `Change the alias of a lane; every node renames its files two heights later.
The key must hold CanManageLanes.`
  static override examples = ['<%= config.bin %> lane relabel 3 securities --key-file admin.json']
  static override args = {
    lane: Args.string({ description: 'number of the lane', required: true, ignoreStdin: true }),
    alias: Args.string({ description: 'new alias', required: true, ignoreStdin: true }),
  }
  static override flags = { ...writeFlags }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(LaneRelabel)
    const lane = laneOf(args.lane)
    await this.change(flags, (_latest, { read }) => updateLanes(read, { relabel: [{ lane, alias: args.alias }] }))
  }
}
