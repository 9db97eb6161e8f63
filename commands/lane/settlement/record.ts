import { Args, Flags } from '@oclif/core'
import { writeFlags } from '../../../src/cli/command/flags.js'
import { laneOf } from '../../../src/cli/lane/lane.js'
import { LedgerCommand } from '../../../src/cli/ledger/command.js'
import { instructions as lanes } from '../../../src/features/lanes/schema/instructions.js'

export default class LaneSettlementRecord extends LedgerCommand {
  static override description =
    `Record a settlement that happened elsewhere: its receipt is part of the commitment of the lane.
Nothing is paid. The lane is that of the transaction (\`lane route explain\`). The haircut is
--due minus --after. The key must hold CanRecordSettlement for the lane.`
  static override examples = [
    '<%= config.bin %> lane settlement record 2 --local "3 bond#depot" --due "270.5 eur#bank" --key-file clerk.json',
    '<%= config.bin %> lane settlement record 2 --local "100 usd#bank" --due "92 eur#bank" --after 91.5 --swap swap.json --key-file clerk.json',
  ]
  static override args = {
    lane: Args.string({ description: 'number of the lane', required: true, ignoreStdin: true }),
  }
  static override flags = {
    local: Flags.string({ description: 'delivered amount, such as "3 bond#depot"', required: true }),
    due: Flags.string({
      description: 'amount due in the unit of settlement, such as "270.5 eur#bank"',
      required: true,
    }),
    after: Flags.string({ description: 'amount after the haircut (default: the amount due)' }),
    swap: Flags.string({ description: 'terms of the conversion in JSON', helpValue: 'FILE' }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(LaneSettlementRecord)
    const lane = laneOf(args.lane)
    const { amountOfAsset, receiptJson } = await import('../../../src/cli/lane/settlement.js')
    const { readJsonInput } = await import('../../../src/cli/input/json.js')
    const receipt = receiptJson(amountOfAsset(flags.local, '--local'), amountOfAsset(flags.due, '--due'), flags.after)
    const swap = flags.swap === undefined ? null : await readJsonInput(flags.swap)
    await this.send(flags, ({ read }) => [read(lanes.recordSettlement, { lane, receipt, swap })])
  }
}
