/** Owns the lookup of accounts by their addresses and aliases. */

import type { NamedAccount } from '../api/accounts.js'
import { parameterFault } from '../api/answers.js'
import type { NodeServices } from '../api/services.js'
import { type AccountId, LedgerError, parseAddress, parseAlias } from '../model/index.js'
import { queries } from './accounts/schema.js'

/** Reads an address of the chain or an alias; `path` names the parameter in the fault. */
export function parseAccount(services: NodeServices, text: string, path: string): NamedAccount | LedgerError {
  if (text.includes('@') && parseAlias(text) !== undefined) return { id: undefined, alias: text }
  const id = parseAddress(text, services.info.addressPrefix)
  if (id !== undefined) return { id, alias: undefined }
  return parameterFault(path, 'not an address of this chain or an alias label@domain')
}

/** Finds the id of an account that is written as an address or an alias; `not_found` for an alias that no account has. */
export async function resolveAccount(
  services: NodeServices,
  text: string,
  path: string,
): Promise<AccountId | LedgerError> {
  const named = parseAccount(services, text, path)
  if (named instanceof LedgerError) return named
  if (named.id !== undefined) return named.id
  const found = await services.query(queries.account, named)
  return found?.id ?? new LedgerError('not_found', `${path}: account does not exist`)
}

/** True for an account of the ledger. */
export const isRegistered = async (services: NodeServices, id: AccountId): Promise<boolean> =>
  (await services.query(queries.account, { id, alias: undefined })) !== undefined
