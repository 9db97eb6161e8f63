import { Flags } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { accountFlag } from '../../src/cli/input/texts.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { packageArg, policyVariant } from '../../src/cli/registry/release.js'
import { usageError } from '../../src/cli/terminal/failure.js'
import { instructions as registry } from '../../src/features/registry/schema/instructions.js'

export default class RegistrySet extends LedgerCommand {
  static override description = `Set the maintainers or the policy of a package, as a maintainer.
Only the owner of the domain can set a weaker policy.`
  static override examples = [
    '<%= config.bin %> registry set bank/kit --policy builder --key-file alice.json',
    '<%= config.bin %> registry set bank/kit --maintainer alice@bank --maintainer bob@bank --key-file alice.json',
  ]
  static override args = { package: packageArg }
  static override flags = {
    maintainer: accountFlag({ description: 'account that publishes; the given ones replace the list', multiple: true }),
    policy: Flags.option({ options: ['none', 'signed', 'builder'] as const, description: 'required attestations' })(),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(RegistrySet)
    const { maintainer, policy } = flags
    if (maintainer === undefined && policy === undefined)
      throw usageError('no change is given', 'Give --maintainer or --policy.')
    await this.send(flags, async ({ account, read }) => {
      const maintainers = maintainer === undefined ? null : await Promise.all(maintainer.map((one) => account(one)))
      const change = { package: args.package, maintainers, policy: policy === undefined ? null : policyVariant(policy) }
      return [read(registry.setPackage, { ...change, add_builders: [], revoke_builders: [] })]
    })
  }
}
