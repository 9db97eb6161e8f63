/**
 * Owns the vaults: accounts without a key that hold certain value for an agreement until it ends. An issuer can freeze
 * a vault, but not empty it.
 */
import { hash } from '../crypto/index.js'
import { accounts, accountUse } from '../executor/accounts.js'
import { type ExecContext, type Rejection, reject } from '../executor/contract.js'
import { type AccountId, accountId, domainOfDefinition, keylessAccount } from '../model/index.js'
import { createAccount, removeAccount } from './accounts.js'

/** Purpose of a vault. */
export interface Vault {
  /** Feature whose rule moves its value, and the key of the agreement in that feature. */
  readonly feature: string
  readonly key: Uint8Array
  /** Definition of its value; the domain of the definition is the home of the vault. */
  readonly definition: string
  /** Account that owns the income of the value. */
  readonly beneficiary: AccountId
}

/** Account of the vault of an agreement. */
export const vaultOf = ({ feature, key }: Pick<Vault, 'feature' | 'key'>): AccountId =>
  keylessAccount('vault', hash('vault', Buffer.from(feature, 'utf8'), key))

/** Open the vault of an agreement; returns its account, or the rejection. */
export function openVault(ctx: ExecContext, vault: Vault): AccountId | Rejection {
  const id = vaultOf(vault)
  const { feature, key, definition, beneficiary } = vault
  const metadata = new Map([
    ['beneficiary', Buffer.from(accountId.encode(beneficiary)).toString('hex')],
    ['feature', feature],
    ['key', Buffer.from(key).toString('hex')],
  ])
  return createAccount(ctx, { id, domain: domainOfDefinition(definition), label: undefined, metadata }) ?? id
}

/** Close an empty vault. */
export function closeVault(ctx: ExecContext, vault: Pick<Vault, 'feature' | 'key'>): Rejection | undefined {
  const id = vaultOf(vault)
  const row = ctx.get(accounts, id)
  if (row === undefined) return reject('unknown_account', 'the vault is not open')
  if (ctx.has(accountUse, id)) return reject('not_empty', 'the vault still holds value')
  return removeAccount(ctx, id, row)
}
