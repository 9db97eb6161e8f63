/** Owns the record of sponsorship (docs/design/lanes.md 5). */

import { enumOf, type Numeric, numeric, option, type Schema, struct, varint } from '../../../codec/index.js'
import { type AccountId, accountId, defineInstruction, domainId } from '../../../model/index.js'
import { FEE_INSTRUCTIONS as ID } from './ids.js'

/** Whose fees are paid: of one account, or of all accounts at home in a domain. */
export type Beneficiary =
  | { readonly kind: 'account'; readonly value: AccountId }
  | { readonly kind: 'domain'; readonly value: string }
const beneficiary_ = enumOf('FeeBeneficiary', { account: [0, accountId], domain: [1, domainId] })
export const beneficiary: Schema<Beneficiary> = beneficiary_

/** What a sponsor lets others spend, in the fee asset. */
export interface SponsorTerms {
  readonly maxPerTx: Numeric
  /** Per UTC day of header time. */
  readonly maxPerDay: Numeric
  /** End, in ms since the Unix epoch of header time; absent: none. */
  readonly expiresMs: number | undefined
}
const terms_ = struct('SponsorTerms', { maxPerTx: numeric, maxPerDay: numeric, expiresMs: option(varint) })
export const sponsorTerms: Schema<SponsorTerms> = terms_

export interface SponsorFees {
  readonly beneficiary: Beneficiary
  /** Absent: the sponsorship ends. */
  readonly terms: SponsorTerms | undefined
}
const sponsorFees_ = struct('SponsorFees', { beneficiary, terms: option(sponsorTerms) })
export const sponsorFees = defineInstruction<SponsorFees>(ID.sponsorFees, 'sponsorFees', 'fee::sponsor', sponsorFees_)
