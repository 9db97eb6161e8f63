/** Owns the tables of the bridge on the ledger: bindings, submitters, claims. */
import { hash32, list, type Schema, struct, varint } from '../../../codec/index.js'
import { type AccountId, accountId, assetDefinitionId } from '../../../model/index.js'
import type { TableDef } from '../../../state/index.js'
import { ISO_TABLES } from '../schema/ids.js'
import { bic, currencyCode, type Debtors, debtors, iban } from '../schema/instructions.js'

export const ibans: TableDef<string, AccountId> = {
  id: ISO_TABLES.ibans,
  name: 'iso_ibans',
  key: iban,
  value: accountId,
}
export const currencies: TableDef<string, string> = {
  id: ISO_TABLES.currencies,
  name: 'iso_currencies',
  key: currencyCode,
  value: assetDefinitionId,
}

export interface Submitter {
  /** Empty: every BIC. */
  readonly bics: readonly string[]
  readonly debtor: Debtors
}
const submitter_ = struct('Submitter', { bics: list(bic, 64), debtor: debtors })
const submitter: Schema<Submitter> = submitter_
export const submitters: TableDef<AccountId, Submitter> = {
  id: ISO_TABLES.submitters,
  name: 'iso_submitters',
  key: accountId,
  value: submitter,
}

/** A claimed message; never pruned, so that no id ever pays twice. */
export interface Claim {
  readonly transactionHash: Uint8Array
  readonly bodyHash: Uint8Array
  readonly height: number
}
const claim_ = struct('Claim', { transactionHash: hash32, bodyHash: hash32, height: varint })
const claim: Schema<Claim> = claim_
export const claims: TableDef<Uint8Array, Claim> = {
  id: ISO_TABLES.claims,
  name: 'iso_claims',
  key: hash32,
  value: claim,
}
