/** Owns the declaration of route parameters that name accounts: the router resolves them before the handler. */
import type { AccountId } from '../model/index.js'

/** Account input of a query: an id or an alias. */
export type NamedAccount =
  | { readonly id: AccountId; readonly alias: undefined }
  | { readonly id: undefined; readonly alias: string }

/**
 * Form in which a handler receives an address or an alias. `id`: the account id; an unknown alias is `not_found`.
 * `name`: the id, or the text as given if it resolves to nothing, for a query that answers the absence itself.
 */
export type AccountForm = 'id' | 'name'

/** Parameters that name accounts, by the names of their fields in path, query string or body. */
export type AccountParameters = Readonly<Record<string, AccountForm>>

interface Forms {
  readonly id: AccountId
  readonly name: NamedAccount
}

/** Type of the text of a parameter. */
type TextOf<P, Q, B, K> = K extends keyof P ? P[K] : K extends keyof Q ? Q[K] : K extends keyof B ? B[K] : never

/** Accounts of a request by the names of their parameters; undefined where an optional one is absent. */
export type Accounts<P, Q, B, A extends AccountParameters> = {
  readonly [K in keyof A]: Forms[A[K]] | (undefined extends TextOf<P, Q, B, K> ? undefined : never)
}
