import { Flags } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { assetArg } from '../../src/cli/input/texts.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { metadataOf } from '../../src/cli/ledger/forms.js'
import { instructions as assets } from '../../src/features/assets/schema/instructions.js'

export default class AssetRegister extends LedgerCommand {
  static override description = 'Register an asset definition in a domain; the key becomes its owner.'
  static override examples = [
    '<%= config.bin %> asset register eur#bank --scale 2 --key-file admin.json',
    '<%= config.bin %> asset register coin#bank --mintable 3',
  ]
  static override args = {
    asset: assetArg({ description: 'asset definition name#domain', required: true, ignoreStdin: true }),
  }
  static override flags = {
    scale: Flags.integer({ description: 'fraction digits of amounts, 0 to 28 (default: any)', min: 0, max: 28 }),
    mintable: Flags.string({
      description: 'mintability: infinitely, once, not, or a number of times',
      default: 'infinitely',
    }),
    meta: Flags.string({ description: 'metadata key=value; may be repeated', multiple: true, helpValue: 'KEY=VALUE' }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(AssetRegister)
    const { mintable } = flags
    const often = /^\d+$/.test(mintable)
      ? { Limited: Number(mintable) }
      : mintable.replace(/^./, (first) => first.toUpperCase())
    const record = { id: args.asset, scale: flags.scale ?? null, mintable: often, metadata: metadataOf(flags.meta) }
    await this.send(flags, ({ read }) => [read(assets.registerAssetDefinition, record)])
  }
}
