/** Owns the accounts of IBANs and the asset definitions of currencies; bound by the bridge and read by name lookups. */
import {
  type AccountId,
  accountId,
  assetDefinitionId,
  currencyCode,
  type Incarnation,
  iban,
  incarnation,
  isEarlier,
} from '../model/index.js'
import type { StateReader, TableDef } from '../state/index.js'
import { definitions } from './tables.js'

/** Ids of the bridge (src/features/iso20022/schema/ids.ts). */
const ISO_BINDING_TABLES = { ibans: 300, currencies: 301, currencyTimes: 306 } as const

export const ibans: TableDef<string, AccountId> = {
  id: ISO_BINDING_TABLES.ibans,
  name: 'iso_ibans',
  bound: { holds: 'an account', filledBy: 'BindIban', atBound: 'one account an IBAN' },
  key: iban,
  value: accountId,
}
export const currencies: TableDef<string, string> = {
  id: ISO_BINDING_TABLES.currencies,
  name: 'iso_currencies',
  bound: { holds: 'a definition', filledBy: 'BindCurrency', atBound: 'one definition a currency' },
  key: currencyCode,
  value: assetDefinitionId,
}

/** Registration times of currency bindings; absent for bindings under the rules of ABI 1. */
export const currencyTimes: TableDef<string, Incarnation> = {
  id: ISO_BINDING_TABLES.currencyTimes,
  name: 'iso_currency_times',
  bound: { holds: 'a place in a block', filledBy: 'BindCurrency', atBound: 'leaves with UnbindCurrency' },
  key: currencyCode,
  value: incarnation,
}

/** Account that an IBAN is bound to; undefined also for a text that is not a canonical IBAN. */
export const accountOfIban = (state: StateReader, text: string): AccountId | undefined =>
  iban.fromJson(text).ok ? state.get(ibans, text) : undefined

/**
 * Definition that a currency is bound to. Undefined if the text is not a currency code, or if the definition was removed
 * after the binding, even if its id was registered again.
 */
export function definitionOfCurrency(state: StateReader, text: string): string | undefined {
  if (!currencyCode.fromJson(text).ok) return undefined
  const bound = state.get(currencies, text)
  const set = bound === undefined ? undefined : state.get(currencyTimes, text)
  if (bound === undefined || set === undefined) return bound
  const registered = state.get(definitions, bound)?.incarnation
  return registered !== undefined && isEarlier(registered, set) ? bound : undefined
}
