import { BaseCommand } from '../../../src/cli/command/base-command.js'
import { latestOf } from '../../../src/cli/lane/command.js'
import { lifecycleOf, policyText } from '../../../src/cli/lane/lane.js'
import { draftOfPolicy } from '../../../src/cli/lane/policy.js'

export default class LanePolicyShow extends BaseCommand {
  static override description = `Show the routing policy as of the last change: its rules in order.
With --json the output is a file for \`lane policy set\`.`
  static override examples = [
    '<%= config.bin %> lane policy show',
    '<%= config.bin %> lane policy show --json > policy.json',
  ]

  async run(): Promise<void> {
    const { flags } = await this.parse(LanePolicyShow)
    const latest = latestOf(await lifecycleOf(await this.settings(flags)))
    this.out.result(draftOfPolicy(latest), policyText(latest))
  }
}
