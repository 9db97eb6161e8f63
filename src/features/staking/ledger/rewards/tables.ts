/** Owns the table of rewards. */

import { type Infer, list, numeric, struct, u32, varint } from '../../../../codec/index.js'
import { accountId } from '../../../../model/index.js'
import type { TableDef } from '../../../../state/index.js'
import { PAGE_ENTRIES } from '../../schema/records.js'
import { table } from '../table.js'

const rewardKey_ = struct('StakingRewardKey', { epoch: varint, validator: accountId })
const reward_ = struct('StakingReward', {
  /** Term whose exposures determine the shares of the reward. */
  term: varint,
  amount: numeric,
  /** Paid pages. */
  paid: list(u32, PAGE_ENTRIES),
})
export type Reward = Infer<typeof reward_>
export const rewards: TableDef<Infer<typeof rewardKey_>, Reward> = table(621, 'rewards', rewardKey_, reward_, {
  holds: 'an amount and 64 pages',
  filledBy: 'each epoch',
  atBound: 'leaves with its epoch',
})
