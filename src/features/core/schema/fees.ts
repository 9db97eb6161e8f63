/** Owns the records of sponsorship and account admission (design/ledger-lanes.md 5). */

import { enumOf, type Numeric, numeric, option, type Schema, struct, varint } from '../../../codec/index.js'
import {
  type AccountId,
  type AdmissionPolicy,
  accountId,
  admissionPolicy,
  defineInstruction,
  domainId,
} from '../../../model/index.js'
import { CORE_INSTRUCTIONS as ID } from '../../ids.js'

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

export interface SetAdmission {
  readonly domain: string
  readonly policy: AdmissionPolicy
}
const setAdmission_ = struct('SetAdmission', { domain: domainId, policy: admissionPolicy })
export const setAdmission = defineInstruction<SetAdmission>(
  ID.setAdmission,
  'setAdmission',
  'account::set_admission',
  setAdmission_,
)

/** Where fees go: out of the supply, to an account, or into the pot that rewards are paid from. */
export type FeeSink =
  | { readonly kind: 'burn'; readonly value: undefined }
  | { readonly kind: 'account'; readonly value: AccountId }
  | { readonly kind: 'pot'; readonly value: undefined }
const sink_ = enumOf('FeeSink', { burn: [0, undefined], account: [1, accountId], pot: [2, undefined] })
export const feeSink: Schema<FeeSink> = sink_
