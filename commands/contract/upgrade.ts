import { Args, Flags } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { callFlags } from '../../src/cli/contract/forms.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'

export default class ContractUpgrade extends LedgerCommand {
  static override description =
    `Deploy a contract that takes over the state and the account of the contract under an alias.
The old contract must be \`upgradable\` in its manifest and belong to you; it is inactive afterwards.`
  static override examples = ['<%= config.bin %> contract upgrade my-token --alias token@bank --key-file alice.json']
  static override args = {
    folder: Args.string({ description: 'folder of the contract, or a module', default: '.', ignoreStdin: true }),
  }
  static override flags = {
    alias: Flags.string({ description: 'alias label@domain', required: true }),
    ...callFlags,
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ContractUpgrade)
    const settings = await this.settings(flags)
    const { deployInstructions } = await import('../../src/cli/contract/deployment.js')
    await this.send(flags, (signing) => deployInstructions(settings, args.folder, flags, true, signing))
  }
}
