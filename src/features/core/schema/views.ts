/** Owns the views that core queries answer: what routes, the client and the command line show. */

import { PAGE_LIMIT_MAX, type Page, pageOf } from '../../../api/paging.js'
import { pageQueryOf } from '../../../api/query-inputs.js'
import {
  bool,
  hash32,
  type Infer,
  list,
  type Numeric,
  numeric,
  omissible,
  option,
  type Schema,
  string,
  struct,
  u8,
  varint,
} from '../../../codec/index.js'
import {
  type AccountId,
  accountId,
  assetDefinitionId,
  domainId,
  type EntryOutcome,
  entryOutcome,
  type Metadata,
  type Mintable,
  metadata,
  mintable,
  name,
} from '../../../model/index.js'

export interface DomainView {
  readonly id: string
  readonly ownedBy: AccountId
  readonly metadata: Metadata
}
const domainView_ = struct('DomainView', { id: domainId, ownedBy: accountId, metadata })
export const domainView: Schema<DomainView> = domainView_

export interface DefinitionView {
  readonly id: string
  readonly name: string
  readonly ownedBy: AccountId
  readonly scale: number | undefined
  readonly mintable: Mintable
  readonly totalQuantity: Numeric
  readonly metadata: Metadata
}
const definitionView_ = struct('AssetDefinitionView', {
  id: assetDefinitionId,
  name,
  ownedBy: accountId,
  scale: option(u8),
  mintable,
  totalQuantity: numeric,
  metadata,
})
export const definitionView: Schema<DefinitionView> = definitionView_

export const domainPage: Schema<Page<DomainView>> = pageOf('DomainPage', domainView)
export const definitionPage: Schema<Page<DefinitionView>> = pageOf('AssetDefinitionPage', definitionView)

export const domainsInput = pageQueryOf('DomainsQuery', domainId)
export const definitionsInput = pageQueryOf('AssetDefinitionsQuery', assetDefinitionId)

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

/** Where a committed transaction stands. */
export interface TransactionView {
  readonly hash: Uint8Array
  readonly height: number
  readonly blockHash: Uint8Array
  readonly index: number
  readonly timeMs: number
  readonly outcome: EntryOutcome
  /** Name of the error code when it was rejected. */
  readonly rejection: string | undefined
  readonly authority: AccountId
}
const transactionView_ = struct('TransactionView', {
  hash: hash32,
  height: varint,
  blockHash: hash32,
  index: varint,
  timeMs: varint,
  outcome: entryOutcome,
  rejection: option(string(64)),
  authority: accountId,
})
export const transactionView: Schema<TransactionView> = transactionView_

const transactionQuery_ = struct('TransactionQuery', { hash: hash32 })
export type TransactionQuery = Infer<typeof transactionQuery_>
export const transactionQuery: Schema<TransactionQuery> = transactionQuery_
