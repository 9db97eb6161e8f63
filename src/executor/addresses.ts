/** Owns account names in rejections: addresses instead of ids. */
import { type AccountId, DEFAULT_ADDRESS_PREFIX, formatAddress } from '../model/index.js'
import type { StateReader } from '../state/index.js'
import { type Rejection, reject } from './contract.js'
import { chainInfo, SINGLETON_KEY } from './tables.js'

/** Human-readable part of the addresses of this chain. */
export const addressPrefixOf = (state: StateReader): string =>
  state.get(chainInfo, SINGLETON_KEY)?.addressPrefix ?? DEFAULT_ADDRESS_PREFIX

/** Address of an account. */
export const addressIn = (state: StateReader, account: AccountId): string =>
  formatAddress(account, addressPrefixOf(state))

/** Rejection for an unregistered account; `what`: its role in the instruction. */
export const unknownAccount = (state: StateReader, account: AccountId, what = 'account'): Rejection =>
  reject('unknown_account', `the ${what} ${addressIn(state, account)} is not registered`)
