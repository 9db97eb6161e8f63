import { Flags } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { getView } from '../../src/cli/gateway/gateway.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { packageArg, versionArg } from '../../src/cli/registry/release.js'
import { instructions as registry } from '../../src/features/registry/schema/instructions.js'

export default class RegistryYank extends LedgerCommand {
  static override description =
    `Yank a release, as a maintainer: it resolves only by its digest, with a warning. It is not removed.`
  static override examples = [
    '<%= config.bin %> registry yank bank/kit 1.0.0 --reason "wrong fee table" --key-file admin.json',
    '<%= config.bin %> registry yank bank/kit 1.0.0 --undo --key-file admin.json',
  ]
  static override args = { package: packageArg, version: versionArg }
  static override flags = {
    reason: Flags.string({ description: 'reason, at most 256 bytes; it is public', default: '' }),
    undo: Flags.boolean({ description: 'make the release available again' }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(RegistryYank)
    const { reason, undo } = flags
    await this.send(flags, async ({ client, read }) => {
      const release = await getView(client, (all) => all.registry.release, { query: args })
      const revision = Number(release.revision)
      return [read(registry.yankRelease, { ...args, revision, yanked: !undo, reason })]
    })
  }
}
