import { writeFlags } from '../../src/cli/command/flags.js'
import { assetArg } from '../../src/cli/input/texts.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { instructions as assets } from '../../src/features/assets/schema/instructions.js'

export default class AssetUnregister extends LedgerCommand {
  static override description = 'Remove an asset definition without holders.'
  static override examples = ['<%= config.bin %> asset unregister coin#bank --key-file admin.json']
  static override args = {
    asset: assetArg({ description: 'asset definition name#domain', required: true, ignoreStdin: true }),
  }
  static override flags = {
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(AssetUnregister)
    await this.send(flags, async ({ asset, read }) => [
      read(assets.unregisterAssetDefinition, { id: await asset(args.asset) }),
    ])
  }
}
