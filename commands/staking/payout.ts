import { Flags } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { accountArg } from '../../src/cli/input/texts.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { instructions as staking } from '../../src/features/staking/schema/instructions.js'

export default class StakingPayout extends LedgerCommand {
  static override description =
    `Pay one page of the reward of an epoch to a validator and its nominators; any account may do this.
Pending pages: \`causeway staking rewards\`.`
  static override examples = ['<%= config.bin %> staking payout val-0@bank --epoch 3 --key-file nina.json']
  static override args = {
    validator: accountArg({ description: 'account of the validator', required: true, ignoreStdin: true }),
  }
  static override flags = {
    epoch: Flags.integer({ description: 'epoch of the reward', required: true, min: 0 }),
    page: Flags.integer({
      description: 'page of 64 nominators; the first also pays the validator',
      default: 0,
      min: 0,
    }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(StakingPayout)
    const { epoch, page } = flags
    await this.send(flags, async ({ account, read }) => [
      read(staking.payoutStakingReward, { epoch, validator: await account(args.validator), page }),
    ])
  }
}
