import { Args } from '@oclif/core'
import { writeFlags } from '../../../src/cli/command/flags.js'
import { LaneCommand } from '../../../src/cli/lane/command.js'
import { draftOfPolicy, placeAmong, setPolicy } from '../../../src/cli/lane/policy.js'

export default class LanePolicyRemove extends LaneCommand {
  static override description = 'Remove a rule from the routing policy, by its position in `lane policy show`.'
  static override examples = ['<%= config.bin %> lane policy remove 2 --key-file admin.json']
  static override args = {
    place: Args.string({ description: 'position of the rule, from 0', required: true, ignoreStdin: true }),
  }
  static override flags = { ...writeFlags }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(LanePolicyRemove)
    await this.change(flags, (latest, { read }) => {
      const { rules, ...rest } = draftOfPolicy(latest)
      return setPolicy(read, latest, { ...rest, rules: rules.toSpliced(placeAmong(rules, args.place, 0), 1) })
    })
  }
}
