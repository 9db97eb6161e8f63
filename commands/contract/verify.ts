import { Args } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { pairs } from '../../src/cli/command/output.js'

export default class ContractVerify extends BaseCommand {
  static override description =
    `Check a module offline: that it is of the profile, and that the manifest beside it is its own.
Prints the hashes that the ledger would know it by.`
  static override examples = ['<%= config.bin %> contract verify my-token/build/contract.wasm']
  static override args = {
    file: Args.string({ description: 'module, with manifest.json beside it', required: true, ignoreStdin: true }),
  }

  async run(): Promise<void> {
    const { args } = await this.parse(ContractVerify)
    const { verifyBuilt } = await import('../../src/cli/contract/verify.js')
    const view = await verifyBuilt(args.file)
    this.out.result(
      view,
      pairs(Object.entries(view).map(([name, value]) => [name.replaceAll('_', ' '), String(value)])),
    )
  }
}
