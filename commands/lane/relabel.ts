import { Args } from '@oclif/core'
import { BaseCommand } from '../../src/cli/base-command.js'
import { writeFlags } from '../../src/cli/flags.js'
import { changeLanes, laneOf, updateTwin } from '../../src/cli/lane.js'

export default class LaneRelabel extends BaseCommand {
  static override description = `Give a lane another alias; every node renames its files two heights on.
The key must hold CanManageLanes.`
  static override examples = ['<%= config.bin %> lane relabel 3 securities --key-file admin.json']
  static override args = {
    lane: Args.string({ description: 'number of the lane', required: true, ignoreStdin: true }),
    alias: Args.string({ description: 'new alias', required: true, ignoreStdin: true }),
  }
  static override flags = { ...writeFlags }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(LaneRelabel)
    const settings = await this.settings(flags)
    const context = { settings, out: this.out, silent: this.silent, wait: flags.wait, dryRun: flags['dry-run'] }
    await changeLanes(context, updateTwin({ relabel: [{ lane: laneOf(args.lane), alias: args.alias }] }))
  }
}
