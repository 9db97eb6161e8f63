/** Owns the tables of stake: the pool, and the stake of each account. */

import { type Infer, type Numeric, numeric, struct, u8, u32, varint } from '../../../../codec/index.js'
import { type AccountId, accountId, assetDefinitionId } from '../../../../model/index.js'
import type { TableDef } from '../../../../state/index.js'
import { type Stake, stake } from '../../schema/records.js'
import { only, table } from '../table.js'

/** Common state of all stakes. */
export interface Pool extends Infer<typeof pool_> {}
const pool_ = struct('StakingPool', {
  /** Staked asset, and its fraction digits: fixed while anything is staked. */
  definition: assetDefinitionId,
  scale: u8,
  /** Bonded and unbonding stake of all accounts. */
  total: numeric,
  /** Numbers of listed candidates and voters. */
  candidates: u32,
  voters: u32,
  nextSlash: varint,
})
export const pools: TableDef<string, Pool> = table(600, 'pool', only, pool_, {
  holds: 'an amount and counts',
  filledBy: 'BondStake',
  atBound: 'one row',
})

export const stakes: TableDef<AccountId, Stake> = table(601, 'stakes', accountId, stake, {
  holds: 'an amount, 16 chunks, 32 validators',
  filledBy: 'BondStake',
  atBound: '`stake_chunk_limit`, `stake_exposure_limit`; leaves when all is withdrawn',
})

export const NO_AMOUNT: Numeric = { mantissa: 0n, scale: 0 }
