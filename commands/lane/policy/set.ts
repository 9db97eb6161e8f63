import { Args } from '@oclif/core'
import { writeFlags } from '../../../src/cli/command/flags.js'
import { inputName } from '../../../src/cli/input/input.js'
import { readJsonInput } from '../../../src/cli/input/json.js'
import { LaneCommand } from '../../../src/cli/lane/command.js'
import { policyOfFile, setPolicy } from '../../../src/cli/lane/policy.js'

export default class LanePolicySet extends LaneCommand {
  static override description = `Replace the routing policy with the one in a file; it takes effect two heights later.
The key must hold CanManageLanes. Queued transactions are routed again.`
  static override examples = [
    '<%= config.bin %> lane policy show --json > policy.json',
    '<%= config.bin %> lane policy set policy.json --key-file admin.json',
  ]
  static override args = {
    file: Args.string({ description: 'policy in JSON, or - for standard input', required: true, ignoreStdin: true }),
  }
  static override flags = { ...writeFlags }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(LanePolicySet)
    const draft = policyOfFile(await readJsonInput(args.file), inputName(args.file))
    await this.change(flags, (latest, { read }) => setPolicy(read, latest, draft))
  }
}
