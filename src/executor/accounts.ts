/** Owns the account record: admission, routing and permissions read it below every feature. */
import { option, type Schema, struct } from '../codec/index.js'
import {
  type AccountId,
  accountId,
  domainId,
  type Incarnation,
  incarnation,
  type Metadata,
  metadata,
  name,
} from '../model/index.js'
import type { TableDef } from '../state/index.js'

/** A registered account. */
export interface Account {
  readonly domain: string
  /** Unique in the domain; `label@domain` is the alias. */
  readonly label: string | undefined
  readonly metadata: Metadata
  readonly incarnation: Incarnation
}
const account_ = struct('Account', { domain: domainId, label: option(name), metadata, incarnation })
export const account: Schema<Account> = account_
export const accounts: TableDef<AccountId, Account> = { id: 20, name: 'accounts', key: accountId, value: account }
