import { writeFlags } from '../../src/cli/command/flags.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { dataspaceArg, manifestArgs } from '../../src/cli/space/forms.js'
import { instructions } from '../../src/features/spaces/schema/instructions.js'

export default class SpaceExpire extends LedgerCommand {
  static override description = `Remove an expired manifest and its usage from the ledger; any key may sign.
Also removes the manifest of an account or a dataspace that no longer exists.`
  static override examples = ['<%= config.bin %> space expire 7 alice@bank --key-file bob.json']
  static override args = manifestArgs
  static override flags = { ...writeFlags }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(SpaceExpire)
    const dataspace = dataspaceArg(args.dataspace)
    await this.send(flags, async ({ account, read }) => [
      read(instructions.expireManifest, { dataspace, account: await account(args.account) }),
    ])
  }
}
