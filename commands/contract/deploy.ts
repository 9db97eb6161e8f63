import { Args, Flags } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { callFlags } from '../../src/cli/contract/forms.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'

export default class ContractDeploy extends LedgerCommand {
  static override description =
    'Deploy a built contract; its artifact is registered if the ledger does not have it yet.'
  static override examples = [
    `<%= config.bin %> contract deploy my-token --alias token@bank --args '{"digits":2,"initial":"1000"}' --key-file alice.json`,
  ]
  static override args = {
    folder: Args.string({ description: 'folder of the contract, or a module', default: '.', ignoreStdin: true }),
  }
  static override flags = {
    alias: Flags.string({ description: 'alias label@domain to bind to it' }),
    domain: Flags.string({ description: 'domain of the contract (default: the domain of the alias, else your own)' }),
    ...callFlags,
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ContractDeploy)
    const settings = await this.settings(flags)
    const { deployInstructions } = await import('../../src/cli/contract/deployment.js')
    await this.send(flags, (signing) => deployInstructions(settings, args.folder, flags, false, signing))
  }
}
