import { writeFlags } from '../../src/cli/command/flags.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { packageArg } from '../../src/cli/registry/release.js'
import { instructions as registry } from '../../src/features/registry/schema/instructions.js'

export default class RegistryRemove extends LedgerCommand {
  static override description = 'Remove a package that never had a release, as the owner of its domain.'
  static override examples = ['<%= config.bin %> registry remove bank/kit --key-file admin.json']
  static override args = { package: packageArg }
  static override flags = { ...writeFlags }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(RegistryRemove)
    await this.send(flags, ({ read }) => [read(registry.removePackage, { package: args.package })])
  }
}
