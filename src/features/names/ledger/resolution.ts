/** Owns the resolution of names, IBANs and currencies in a state at a header time. */
import { accountOfIban, definitionOfCurrency } from '../../../ledger/iso-bindings.js'
import { aliases, definitions } from '../../../ledger/tables.js'
import {
  type AccountId,
  type AliasText,
  type NameId,
  type NameRows,
  type NameStanding,
  nameStanding,
  resolves,
} from '../../../model/index.js'
import type { StateReader } from '../../../state/index.js'
import { ASSET_RECORD, type NameRow } from '../schema/records.js'
import { names } from './tables.js'

/** Rows of names in a state. */
export const nameRows = (state: StateReader): NameRows<NameRow> => ({
  row: (name) => state.get(names, name),
  account: (name) => state.get(aliases, name),
})

/** Standing of a name; undefined if it is free. */
export const standingOf = (state: StateReader, name: NameId, timeMs: number): NameStanding | undefined =>
  nameStanding(nameRows(state), name, timeMs)

/** Current account of an alias; undefined if it has none, or is not for accounts. */
export function accountOfAlias(state: StateReader, alias: AliasText, timeMs: number): AccountId | undefined {
  if (alias.kind === 'currency') return undefined
  if (alias.kind === 'iban') return accountOfIban(state, alias.iban)
  return resolves(standingOf(state, alias, timeMs)) ? state.get(aliases, alias) : undefined
}

/** Current definition of an alias; undefined if it has none, or is not for asset definitions. */
export function definitionOfAlias(state: StateReader, alias: AliasText, timeMs: number): string | undefined {
  if (alias.kind === 'iban') return undefined
  const definition =
    alias.kind === 'currency'
      ? definitionOfCurrency(state, alias.currency)
      : resolves(standingOf(state, alias, timeMs))
        ? state.get(names, alias)?.records.get(ASSET_RECORD)
        : undefined
  return definition !== undefined && state.has(definitions, definition) ? definition : undefined
}
