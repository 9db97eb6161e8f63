import { Args, Flags } from '@oclif/core'
import { writeFlags } from '../../../src/cli/command/flags.js'
import { LedgerCommand } from '../../../src/cli/ledger/command.js'
import { packageArg } from '../../../src/cli/registry/release.js'
import { instructions as registry } from '../../../src/features/registry/schema/instructions.js'

export default class RegistryBuilderAdd extends LedgerCommand {
  static override description =
    `Add the key of a builder to a package, as a maintainer. It attests releases built from the given sources.`
  static override examples = [
    '<%= config.bin %> registry builder add bank/kit 5f0c… --source-prefix git+https://example.com/ --key-file admin.json',
  ]
  static override args = {
    package: packageArg,
    key: Args.string({ description: 'Ed25519 public key, 64 hex digits', required: true, ignoreStdin: true }),
  }
  static override flags = {
    'source-prefix': Flags.string({ description: 'beginning of the sources that it may build', required: true }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(RegistryBuilderAdd)
    const added = [{ key: args.key, source_prefix: flags['source-prefix'] }]
    const change = { package: args.package, maintainers: null, policy: null, add_builders: added, revoke_builders: [] }
    await this.send(flags, ({ read }) => [read(registry.setPackage, change)])
  }
}
