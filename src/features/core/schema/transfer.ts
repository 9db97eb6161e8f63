/** Owns the record of a transfer: one of its own, or one of a batch. */
import { type Numeric, numeric, type Schema, struct } from '../../../codec/index.js'
import { type AccountId, type AssetId, accountId, assetId } from '../../../model/index.js'

export interface Transfer {
  /** Source balance. */
  readonly asset: AssetId
  readonly to: AccountId
  readonly amount: Numeric
}
const transfer_ = struct('Transfer', { asset: assetId, to: accountId, amount: numeric })
export const transferRecord: Schema<Transfer> = transfer_
