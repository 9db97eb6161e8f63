/** Owns input and view records of accounts. */

import { accountCursor } from '../../../api/cursors.js'
import { PAGE_LIMIT_MAX, type Page, pageOf } from '../../../api/paging.js'
import { pageQueryFields } from '../../../api/query-inputs.js'
import {
  bool,
  type Infer,
  list,
  type Numeric,
  numeric,
  omissible,
  option,
  type Schema,
  string,
  struct,
} from '../../../codec/index.js'
import {
  type AccountId,
  accountId,
  admissionPolicy,
  assetDefinitionId,
  domainId,
  type Metadata,
  metadata,
  name,
} from '../../../model/index.js'

export interface BalanceView {
  readonly definition: string
  readonly amount: Numeric
}
const balanceView_ = struct('BalanceView', { definition: assetDefinitionId, amount: numeric })
export const balanceView: Schema<BalanceView> = balanceView_

export interface AccountView {
  readonly id: AccountId
  readonly domain: string
  readonly label: string | undefined
  readonly metadata: Metadata
  /** The first 500 in the order of their definitions. */
  readonly balances: readonly BalanceView[]
  /** True where there are more: `/v1/accounts/{id}/assets` lists them all. */
  readonly moreBalances: true | undefined
}
const accountView_ = struct('AccountView', {
  id: accountId,
  domain: domainId,
  label: option(name),
  metadata,
  balances: list(balanceView, PAGE_LIMIT_MAX),
  moreBalances: omissible(bool),
})
export const accountView: Schema<AccountView> = accountView_ as Schema<AccountView>

/** An account by its id or by its alias `label@domain`. */
const accountQuery_ = struct('AccountQuery', { id: option(accountId), alias: option(string(257)) })
export type AccountQuery = Infer<typeof accountQuery_>
export const accountQuery: Schema<AccountQuery> = accountQuery_

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
  ...pageQueryFields(accountCursor),
  domain: option(domainId),
})
export type AccountsQuery = Infer<typeof accountsQuery_>
export const accountsQuery: Schema<AccountsQuery> = accountsQuery_

const admissionView_ = struct('AdmissionView', {
  domain: domainId,
  /** As the domain set it; absent: explicit. */
  policy: option(admissionPolicy),
  /** What holds, by chain and domain together. */
  implicit: bool,
})
export type AdmissionView = Infer<typeof admissionView_>
export const admissionView: Schema<AdmissionView> = admissionView_
