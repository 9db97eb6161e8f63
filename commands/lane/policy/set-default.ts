import { Args } from '@oclif/core'
import { writeFlags } from '../../../src/cli/command/flags.js'
import { LaneCommand } from '../../../src/cli/lane/command.js'
import { laneOf } from '../../../src/cli/lane/lane.js'
import { draftOfPolicy, setPolicy } from '../../../src/cli/lane/policy.js'

export default class LanePolicySetDefault extends LaneCommand {
  static override description = 'Set the default lane of the routing policy, for transactions that no rule matches.'
  static override examples = ['<%= config.bin %> lane policy set-default 1 --key-file admin.json']
  static override args = { lane: Args.string({ description: 'number of the lane', required: true, ignoreStdin: true }) }
  static override flags = { ...writeFlags }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(LanePolicySetDefault)
    const lane = laneOf(args.lane)
    await this.change(flags, (latest, { read }) =>
      setPolicy(read, latest, { ...draftOfPolicy(latest), default_lane: lane }),
    )
  }
}
