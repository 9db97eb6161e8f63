import { Args } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { type FoundGovernance, instructions } from '../../src/features/gov/schema/instructions.js'
import type { RecordJson } from '../../src/model/index.js'

export default class GovFound extends LedgerCommand {
  static override description =
    `Found governance: register the governance account and set the first tracks. Needs CanManageRuntimeUpgrades.
The file has the fields of FoundGovernance: \`domain\`, \`tracks\` and \`veto_bps\`. Afterwards grant the account the permissions that it shall exercise.`
  static override examples = ['<%= config.bin %> gov found governance.json --key-file admin.json']
  static override args = {
    file: Args.string({ description: 'file with the tracks in JSON', required: true, ignoreStdin: true }),
  }
  static override flags = { ...writeFlags }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(GovFound)
    const { readJsonInput } = await import('../../src/cli/input/json.js')
    const record = (await readJsonInput(args.file)) as RecordJson<FoundGovernance>
    await this.send(flags, ({ read }) => [read(instructions.foundGovernance, record)])
  }
}
