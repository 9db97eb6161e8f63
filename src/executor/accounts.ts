/**
 * Owns the account record, the use counts of an account, and system accounts of features. It is below every feature,
 * because admission, routing, triggers and permissions use it.
 */
import { type Infer, option, struct, varint } from '../codec/index.js'
import { hash } from '../crypto/index.js'
import { type AccountId, accountId, domainId, incarnation, keylessAccount, name } from '../model/index.js'
import type { StateWriter, TableDef } from '../state/index.js'

/** Registered account. */
export interface Account extends Infer<typeof account> {}
export const account = struct('Account', {
  domain: domainId,
  /** Unique in the domain; `label@domain` is the alias. */
  label: option(name),
  incarnation,
  /** Number of data triggers that watch it; while 0, its events need no lookup. */
  watchers: varint,
})
export const accounts: TableDef<AccountId, Account> = {
  id: 20,
  name: 'accounts',
  bound: {
    holds: 'one account',
    filledBy: 'RegisterAccount, RegisterMultisig, transfers that create accounts',
    atBound: 'leaves with UnregisterAccount',
  },
  key: accountId,
  value: account,
}

/** Counters of an account's balances and objects, so that its removal needs no search; absent if all are zero. */
export interface AccountUse extends Infer<typeof accountUse_> {}
const accountUse_ = struct('AccountUse', {
  /** Balances above zero. */
  balances: varint,
  /** Number of owned domains, definitions, NFTs, triggers and sponsorships, and of open proposals. */
  objects: varint,
  /** Number of time triggers among these objects: entries in the calendar of the chain. */
  timers: varint,
})
export const accountUse: TableDef<AccountId, AccountUse> = {
  id: 28,
  name: 'account_use',
  bound: {
    holds: 'three counts',
    filledBy: 'whatever an account has',
    atBound: 'leaves at zero; 64 time triggers an account: `too_many_triggers`',
  },
  key: accountId,
  value: accountUse_,
}

const NOTHING: AccountUse = { balances: 0, objects: 0, timers: 0 }

/** Count a balance or an object that an account gets (1) or loses (-1). */
export function countUse(state: StateWriter, id: AccountId, what: keyof AccountUse, by: 1 | -1): void {
  const use = state.get(accountUse, id) ?? NOTHING
  const next = { ...use, [what]: use[what] + by }
  if (next[what] < 0) throw new Error(`the count of ${what} of an account is negative`)
  if (next.balances === 0 && next.objects === 0 && next.timers === 0) state.delete(accountUse, id)
  else state.set(accountUse, id, next)
}

/** System account of a feature; it has no key, and only granted rights. */
export const systemAccount = (feature: string): AccountId =>
  keylessAccount('system', hash('system', Buffer.from(feature, 'utf8')))
