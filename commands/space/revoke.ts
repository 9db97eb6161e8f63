import { Flags } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { dataspaceArg, manifestArgs } from '../../src/cli/space/forms.js'
import { instructions } from '../../src/features/spaces/schema/instructions.js'

export default class SpaceRevoke extends LedgerCommand {
  static override description = `Revoke the manifest of a guest from the next block on.
The key must hold CanPublishManifests for the dataspace. A new version can be published later.`
  static override examples = [
    '<%= config.bin %> space revoke 7 alice@bank --reason "contract ended" --key-file admin.json',
  ]
  static override args = manifestArgs
  static override flags = {
    reason: Flags.string({ description: 'reason, at most 256 bytes; it is public', required: true }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(SpaceRevoke)
    const dataspace = dataspaceArg(args.dataspace)
    await this.send(flags, async ({ account, read }) => [
      read(instructions.revokeManifest, { dataspace, account: await account(args.account), reason: flags.reason }),
    ])
  }
}
