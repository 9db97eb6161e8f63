/** Owns the views that core queries answer: what routes, the client and the command line show. */
import {
  hash32,
  type Infer,
  list,
  type Numeric,
  numeric,
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
  metadata,
  name,
} from '../../../model/index.js'
import { type Mintable, mintable } from './mintable.js'

/** Page sizes of lists (design/gateway.md 6). */
export const PAGE_DEFAULT = 100
export const PAGE_MAX = 500

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

/** A page of records by id, at one height; `nextCursor` is absent on the last page. */
export interface Page<T> {
  readonly items: readonly T[]
  readonly nextCursor: string | undefined
  readonly height: number
}
export const pageOf = <T>(schemaName: string, item: Schema<T>): Schema<Page<T>> =>
  struct(schemaName, { items: list(item, PAGE_MAX), nextCursor: option(string(512)), height: varint }) as Schema<
    Page<T>
  >
export const domainPage: Schema<Page<DomainView>> = pageOf('DomainPage', domainView)
export const definitionPage: Schema<Page<DefinitionView>> = pageOf('AssetDefinitionPage', definitionView)

/** What a list query takes. `after`: the id of the last record of the page before. */
const pageQuery_ = struct('PageQuery', { limit: varint, after: option(string(512)) })
export type PageQuery = Infer<typeof pageQuery_>
export const pageQuery: Schema<PageQuery> = pageQuery_

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
  readonly balances: readonly BalanceView[]
}
const accountView_ = struct('AccountView', {
  id: accountId,
  domain: domainId,
  label: option(name),
  metadata,
  balances: list(balanceView, PAGE_MAX),
})
export const accountView: Schema<AccountView> = accountView_

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
