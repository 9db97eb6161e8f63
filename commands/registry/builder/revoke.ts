import { Args } from '@oclif/core'
import { writeFlags } from '../../../src/cli/command/flags.js'
import { LedgerCommand } from '../../../src/cli/ledger/command.js'
import { packageArg } from '../../../src/cli/registry/release.js'
import { instructions as registry } from '../../../src/features/registry/schema/instructions.js'

export default class RegistryBuilderRevoke extends LedgerCommand {
  static override description = `Revoke the key of a builder, as a maintainer. Its earlier attestations stay valid.`
  static override examples = ['<%= config.bin %> registry builder revoke bank/kit 5f0c… --key-file admin.json']
  static override args = {
    package: packageArg,
    key: Args.string({ description: 'Ed25519 public key, 64 hex digits', required: true, ignoreStdin: true }),
  }
  static override flags = { ...writeFlags }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(RegistryBuilderRevoke)
    const change = {
      package: args.package,
      maintainers: null,
      policy: null,
      add_builders: [],
      revoke_builders: [args.key],
    }
    await this.send(flags, ({ read }) => [read(registry.setPackage, change)])
  }
}
