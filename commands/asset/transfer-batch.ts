import { Args } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { readJsonInput } from '../../src/cli/input/json.js'
import { assetFlag } from '../../src/cli/input/texts.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { instructions as assets } from '../../src/features/assets/schema/instructions.js'

export default class AssetTransferBatch extends LedgerCommand {
  static override description = `Transfer up to 256 amounts atomically.
The file is a list of {"to", "amount"} with optional "from" and "asset"; accounts are addresses or aliases.`
  static override examples = [
    '<%= config.bin %> asset transfer-batch salaries.json --asset usd#bank --key-file alice.json',
  ]
  static override args = {
    file: Args.string({ description: 'file with JSON, or - for standard input', required: true, ignoreStdin: true }),
  }
  static override flags = {
    asset: assetFlag({ description: 'asset definition of transfers without one' }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(AssetTransferBatch)
    const { inputName } = await import('../../src/cli/input/input.js')
    const { transfersJson } = await import('../../src/cli/ledger/transfers.js')
    const list = await readJsonInput(args.file)
    await this.send(flags, async (drafting) => {
      const transfers = await transfersJson(list, inputName(args.file), flags.asset, drafting)
      return [drafting.read(assets.transferBatch, { transfers })]
    })
  }
}
