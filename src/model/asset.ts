/** Owns the id of a balance: an asset definition held by an account. */
import { type Infer, struct } from '../codec/index.js'
import { accountId, formatAddress } from './address.js'
import { assetDefinitionId } from './names.js'

/** A balance: text form `name#domain#account`. */
export interface AssetId extends Infer<typeof assetId> {}
export const assetId = struct('AssetId', { definition: assetDefinitionId, account: accountId })

/** Text form `name#domain#account` of a balance. */
export const formatAsset = (id: AssetId, prefix?: string): string =>
  `${id.definition}#${formatAddress(id.account, prefix)}`
