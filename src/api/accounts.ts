/** Owns route parameters that name accounts: the router resolves them before the handler runs. */
import type { AccountId } from '../model/index.js'

/** Account input of a query: an id or an alias. */
export type NamedAccount =
  | { readonly id: AccountId; readonly alias: undefined }
  | { readonly id: undefined; readonly alias: string }

/**
 * Form in which a handler receives an address or an alias. `id`: the account id; an unknown alias is `not_found`.
 * `name`: the id, or the given text if it does not resolve, for queries that report the absence themselves.
 */
export type AccountForm = 'id' | 'name'

/** Parameters that name accounts, by the names of their fields in path, query string or body. */
export type AccountParameters = Readonly<Record<string, AccountForm>>

interface Forms {
  readonly id: AccountId
  readonly name: NamedAccount
}

/** Text type of a parameter. */
type TextOf<P, Q, B, K> = K extends keyof P ? P[K] : K extends keyof Q ? Q[K] : K extends keyof B ? B[K] : never

/** Accounts of a request by parameter name; undefined for an absent optional parameter. */
export type Accounts<P, Q, B, A extends AccountParameters> = {
  readonly [K in keyof A]: Forms[A[K]] | (undefined extends TextOf<P, Q, B, K> ? undefined : never)
}
