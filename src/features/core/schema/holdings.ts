/** Owns the views of accounts and balances in lists, and what these lists are asked for. */

import { type Page, pageOf } from '../../../api/paging.js'
import { accountPlace, assetPlace } from '../../../api/places.js'
import { pageQueryFields } from '../../../api/query-inputs.js'
import { type Infer, type Numeric, numeric, option, type Schema, struct } from '../../../codec/index.js'
import {
  type AccountId,
  accountId,
  assetDefinitionId,
  domainId,
  type Metadata,
  metadata,
  name,
} from '../../../model/index.js'

/** An account in a list; its balances are a list of their own. */
export interface AccountItem {
  readonly id: AccountId
  readonly domain: string
  readonly label: string | undefined
  readonly metadata: Metadata
}
const accountItem_ = struct('AccountItem', { id: accountId, domain: domainId, label: option(name), metadata })
export const accountPage: Schema<Page<AccountItem>> = pageOf('AccountPage', accountItem_ as Schema<AccountItem>)

const accountsQuery_ = struct('AccountsQuery', {
  ...pageQueryFields(accountPlace),
  domain: option(domainId),
})
export type AccountsQuery = Infer<typeof accountsQuery_>
export const accountsQuery: Schema<AccountsQuery> = accountsQuery_

/** A balance: what one account holds of one definition. */
export interface AssetView {
  readonly definition: string
  readonly account: AccountId
  readonly amount: Numeric
}
const assetView_ = struct('AssetView', { definition: assetDefinitionId, account: accountId, amount: numeric })
export const assetPage: Schema<Page<AssetView>> = pageOf('AssetPage', assetView_ as Schema<AssetView>)

const assetsQuery_ = struct('AssetsQuery', {
  ...pageQueryFields(assetPlace),
  definition: option(assetDefinitionId),
  account: option(accountId),
})
export type AssetsQuery = Infer<typeof assetsQuery_>
export const assetsQuery: Schema<AssetsQuery> = assetsQuery_
