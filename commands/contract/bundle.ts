import { Args } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'

export default class ContractBundle extends LedgerCommand {
  static override description = `Deploy, call and bind contracts in one atomic transaction.
The file is a JSON list of up to 16 steps, such as
  {"deploy": "my-token", "alias": "token@bank", "args": {"digits": 2, "initial": "1000"}}
  {"call": "token@bank", "entrypoint": "pause", "args": {"on": false}, "attach": {"usd#bank": "5"}}
  {"bind": "token@bank", "address": "cw1…"}
A call can only name a contract that already exists.`
  static override examples = ['<%= config.bin %> contract bundle release.json --key-file alice.json']
  static override args = {
    file: Args.string({ description: 'file of steps, or - for standard input', required: true, ignoreStdin: true }),
  }
  static override flags = writeFlags

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ContractBundle)
    const settings = await this.settings(flags)
    const { bundleInstructions } = await import('../../src/cli/contract/bundle.js')
    const { readJsonInput } = await import('../../src/cli/input/json.js')
    await this.send(flags, async (signing) => bundleInstructions(settings, await readJsonInput(args.file), signing))
  }
}
