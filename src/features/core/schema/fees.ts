/** Owns the records of sponsorship and account admission (design/ledger-lanes.md 5). */
import {
  enumOf,
  type Numeric,
  numeric,
  option,
  type Schema,
  struct,
  u32,
  unitEnum,
  varint,
} from '../../../codec/index.js'
import { type AccountId, accountId, defineInstruction, domainId, name } from '../../../model/index.js'
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

/** Whether value that arrives may make an account. */
export type AdmissionMode = 'explicit' | 'implicit'
export const admissionMode: Schema<AdmissionMode> = unitEnum('AdmissionMode', { explicit: 0, implicit: 1 })

/** The admission of accounts to one domain. */
export interface AdmissionPolicy {
  readonly mode: AdmissionMode
  /** Accounts that one transaction, and one block, may make. */
  readonly maxPerTx: number
  readonly maxPerBlock: number
  /** Least amount that makes an account; absent: any. */
  readonly minimum: Numeric | undefined
  /** Role that new accounts get. */
  readonly defaultRole: string | undefined
}
const policy_ = struct('AdmissionPolicy', {
  mode: admissionMode,
  maxPerTx: u32,
  maxPerBlock: u32,
  minimum: option(numeric),
  defaultRole: option(name),
})
export const admissionPolicy: Schema<AdmissionPolicy> = policy_

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

/** What the chain allows every domain. */
export interface ChainAdmission {
  readonly mode: AdmissionMode
  readonly maxPerTx: number
  readonly maxPerBlock: number
}
const chainAdmission_ = struct('ChainAdmission', { mode: admissionMode, maxPerTx: u32, maxPerBlock: u32 })
export const chainAdmission: Schema<ChainAdmission> = chainAdmission_
