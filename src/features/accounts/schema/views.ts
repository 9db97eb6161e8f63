/** Owns input and view records of accounts. */

import { accountCursor } from '../../../api/cursors.js'
import { PAGE_LIMIT_MAX, type Page, pageOf } from '../../../api/paging.js'
import { pageQueryFields } from '../../../api/query-inputs.js'
import {
  bool,
  type Infer,
  list,
  numeric,
  omissible,
  option,
  type Schema,
  string,
  struct,
} from '../../../codec/index.js'
import { accountId, admissionPolicy, assetDefinitionId, domainId, metadata, name } from '../../../model/index.js'

export interface BalanceView extends Infer<typeof balanceView> {}
export const balanceView = struct('BalanceView', { definition: assetDefinitionId, amount: numeric })

export interface AccountView extends Infer<typeof accountView> {}
export const accountView = struct('AccountView', {
  id: accountId,
  domain: domainId,
  label: option(name),
  metadata,
  /** The first 500 in the order of their definitions. */
  balances: list(balanceView, PAGE_LIMIT_MAX),
  /** True where there are more: `/v1/accounts/{id}/assets` lists them all. */
  moreBalances: omissible(bool),
})

export interface AccountQuery extends Infer<typeof accountQuery> {}
/** An account by its id or by its alias `label@domain`. */
export const accountQuery = struct('AccountQuery', { id: option(accountId), alias: option(string(257)) })

/** An account in a list; its balances are a list of their own. */
export interface AccountItem extends Infer<typeof accountItem_> {}
const accountItem_ = struct('AccountItem', { id: accountId, domain: domainId, label: option(name), metadata })
export const accountPage: Schema<Page<AccountItem>> = pageOf('AccountPage', accountItem_)

export interface AccountsQuery extends Infer<typeof accountsQuery> {}
export const accountsQuery = struct('AccountsQuery', {
  ...pageQueryFields(accountCursor),
  domain: option(domainId),
})

export interface AdmissionView extends Infer<typeof admissionView> {}
export const admissionView = struct('AdmissionView', {
  domain: domainId,
  /** As the domain set it; absent: explicit. */
  policy: option(admissionPolicy),
  /** What holds, by chain and domain together. */
  implicit: bool,
})
