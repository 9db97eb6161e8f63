import { Flags } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { accountFlag } from '../../src/cli/input/texts.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { packageArg, policyVariant } from '../../src/cli/registry/release.js'
import { instructions as registry } from '../../src/features/registry/schema/instructions.js'

export default class RegistryCreate extends LedgerCommand {
  static override description =
    `Create a package in a domain. The key must own the domain or hold CanPublishPackage for it.
The policy \`signed\` requires an attestation for each release, \`builder\` the attestation of a builder of the package.`
  static override examples = [
    '<%= config.bin %> registry create bank/kit --key-file admin.json',
    '<%= config.bin %> registry create bank/kit --maintainer alice@bank --policy builder --key-file admin.json',
  ]
  static override args = { package: packageArg }
  static override flags = {
    maintainer: accountFlag({
      description: 'account that publishes (default: the account of the key)',
      multiple: true,
    }),
    policy: Flags.option({
      options: ['none', 'signed', 'builder'] as const,
      description: 'required attestations',
      default: 'none',
    })(),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(RegistryCreate)
    const { maintainer = [], policy } = flags
    await this.send(flags, async ({ account, read }) => {
      const maintainers = await Promise.all(maintainer.map((one) => account(one)))
      return [read(registry.createPackage, { package: args.package, maintainers, policy: policyVariant(policy) })]
    })
  }
}
