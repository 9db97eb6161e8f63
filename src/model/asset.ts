/** Owns the id of a balance: an asset definition held by an account. */
import { type Schema, struct } from '../codec/index.js'
import { type AccountId, accountId, formatAddress } from './address.js'
import { assetDefinitionId } from './names.js'

/** A balance: text form `name#domain#account`. */
export interface AssetId {
  readonly definition: string
  readonly account: AccountId
}

const assetId_ = struct('AssetId', { definition: assetDefinitionId, account: accountId })
export const assetId: Schema<AssetId> = assetId_

/** Text form `name#domain#account` of a balance. */
export const formatAsset = (id: AssetId, prefix?: string): string =>
  `${id.definition}#${formatAddress(id.account, prefix)}`
