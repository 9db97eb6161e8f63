/** Owns the declaration of route parameters that name accounts: the router resolves them before the handler. */
import type { AccountId } from '../model/index.js'

/** An account as queries take it: by its id or by its alias. */
export type NamedAccount =
  | { readonly id: AccountId; readonly alias: undefined }
  | { readonly id: undefined; readonly alias: string }

/**
 * What a handler gets of an address or an alias. `id`: the id of the account; an alias that no account has is `not_found`.
 * `name`: the text as it was read, for a query that looks it up itself.
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
