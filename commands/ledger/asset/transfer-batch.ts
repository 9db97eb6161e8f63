import { Args, Flags } from '@oclif/core'
import { usageError } from '../../../src/cli/command/failure.js'
import { writeFlags } from '../../../src/cli/command/flags.js'
import { amountText } from '../../../src/cli/input/amount.js'
import { readJsonInput } from '../../../src/cli/input/json.js'
import { LedgerCommand } from '../../../src/cli/ledger/command.js'
import type { Json } from '../../../src/codec/index.js'

export default class LedgerAssetTransferBatch extends LedgerCommand {
  static override description = `Transfer up to 256 amounts in one step, all of them or none.
The file is a list of {"to", "amount"} with optional "from" and "asset"; accounts are addresses or aliases.`
  static override examples = [
    '<%= config.bin %> ledger asset transfer-batch salaries.json --asset usd#bank --key-file alice.json',
  ]
  static override args = {
    file: Args.string({ description: 'file with JSON, or - for standard input', required: true, ignoreStdin: true }),
  }
  static override flags = {
    asset: Flags.string({ description: 'asset definition of transfers that name none' }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(LedgerAssetTransferBatch)
    const list = await readJsonInput(args.file)
    if (!Array.isArray(list)) throw usageError(`${args.file}: expected a list of transfers`)
    await this.send(flags, async ({ account }) => {
      const transfers: Json[] = []
      for (const [index, one] of (list as readonly Json[]).entries()) {
        const { from, to, amount, asset = flags.asset } = (one ?? {}) as Readonly<Record<string, Json | undefined>>
        if (typeof to !== 'string' || amount === undefined || typeof asset !== 'string') {
          throw usageError(`${args.file}: transfer ${index} needs to, amount and an asset`)
        }
        const source = await account(typeof from === 'string' ? from : undefined)
        const balance = { definition: asset, account: source }
        transfers.push({ asset: balance, to: await account(to), amount: amountText(String(amount)) })
      }
      return [{ TransferBatch: { transfers } }]
    })
  }
}
