/** Owns the accounts named by a request: they are resolved before its handler runs. */
import type { AnyRoute } from '../api/index.js'
import type { NodeServices } from '../api/services.js'
import { snakeCase } from '../codec/index.js'
import { nameAccount, resolveText } from '../features/texts.js'
import { LedgerError } from '../model/index.js'

type Fields = Readonly<Record<string, unknown>> | undefined

/** Path, query string and body of a request, parsed by the schemas of its route. */
export interface ReadRequest {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
}

/** Accounts by parameter name. */
export type Accounts = Readonly<Record<string, unknown>>

/** Resolve the account parameters of a route; returns the first fault. */
export async function accountsOf(
  { accounts }: Pick<AnyRoute, 'accounts'>,
  { params, query, body }: ReadRequest,
  services: NodeServices,
): Promise<Accounts | LedgerError> {
  const resolved: Record<string, unknown> = {}
  for (const [name, form] of Object.entries(accounts ?? {})) {
    const given = [params, query, body].find((fields) => (fields as Fields)?.[name] !== undefined) as Fields
    const text = given?.[name]
    if (typeof text !== 'string') continue
    const path = snakeCase(name)
    const account = await (form === 'id'
      ? resolveText(services, text, 'account', path)
      : nameAccount(services, text, path))
    if (account instanceof LedgerError) return account
    resolved[name] = account
  }
  return resolved
}
