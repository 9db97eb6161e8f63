import { Flags } from '@oclif/core'
import { writeFlags } from '../../../src/cli/command/flags.js'
import { LaneCommand } from '../../../src/cli/lane/command.js'
import { draftOfPolicy, placeAmong, ruleFlags, ruleOf, setPolicy } from '../../../src/cli/lane/policy.js'

export default class LanePolicyAdd extends LaneCommand {
  static override description = `Add a rule to the routing policy, at the end or before another one.
The first rule that matches decides within its stage: rules of a dataspace, of accounts, of instructions.`
  static override examples = [
    '<%= config.bin %> lane policy add --lane 3 --account "*@cash" --key-file admin.json',
    '<%= config.bin %> lane policy add --lane 2 --dataspace 7 --instruction asset::transfer --at 0 --key-file admin.json',
  ]
  static override flags = {
    ...ruleFlags,
    at: Flags.string({ description: 'position in the policy, from 0 (default: at the end)' }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(LanePolicyAdd)
    await this.change(flags, async (latest, drafting) => {
      const { rules, ...rest } = draftOfPolicy(latest)
      const at = flags.at === undefined ? rules.length : placeAmong(rules, flags.at, 1)
      return setPolicy(drafting.read, latest, { ...rest, rules: rules.toSpliced(at, 0, await ruleOf(flags, drafting)) })
    })
  }
}
