/** Owns the tables of fees, sponsorship and account admission (design/ledger-lanes.md 5). */
import { hash32, type Numeric, numeric, option, type Schema, string, struct, u32, varint } from '../../codec/index.js'
import {
  type AccountId,
  accountId,
  assetDefinitionId,
  domainId,
  type Incarnation,
  incarnation,
} from '../../model/index.js'
import type { TableDef } from '../../state/index.js'
import { CORE_TABLES } from '../ids.js'
import {
  type AdmissionPolicy,
  admissionPolicy,
  type Beneficiary,
  beneficiary,
  type SponsorTerms,
} from './schema/fees.js'

export interface SponsorshipKey {
  readonly sponsor: AccountId
  readonly beneficiary: Beneficiary
}
/** A sponsorship and what it paid on one day. */
export interface Sponsorship extends SponsorTerms {
  /** Registration of the beneficiary: whoever takes its id later is not sponsored. */
  readonly incarnation: Incarnation
  readonly day: number
  readonly spent: Numeric
}
const sponsorshipKey_ = struct('SponsorshipKey', { sponsor: accountId, beneficiary })
const sponsorship_ = struct('Sponsorship', {
  maxPerTx: numeric,
  maxPerDay: numeric,
  expiresMs: option(varint),
  incarnation,
  day: varint,
  spent: numeric,
})
export const sponsorships: TableDef<SponsorshipKey, Sponsorship> = {
  id: CORE_TABLES.sponsorships,
  name: 'sponsorships',
  bound: { holds: 'terms and what a day has cost', filledBy: 'SponsorFees', atBound: 'leaves when it is ended' },
  key: sponsorshipKey_ as Schema<SponsorshipKey>,
  value: sponsorship_ as Schema<Sponsorship>,
}

/** Admission of accounts, by domain; none: explicit. */
export const admissions: TableDef<string, AdmissionPolicy> = {
  id: CORE_TABLES.admissions,
  name: 'admissions',
  bound: { holds: 'one policy', filledBy: 'SetAdmission', atBound: 'leaves with its domain' },
  key: domainId,
  value: admissionPolicy,
}

/** Accounts that value made in the last block and transaction that made any. */
export interface AdmissionCount {
  readonly height: number
  readonly inBlock: number
  readonly transaction: Uint8Array
  readonly inTransaction: number
}
const admissionCount_ = struct('AdmissionCount', {
  height: varint,
  inBlock: u32,
  transaction: hash32,
  inTransaction: u32,
})
/** By domain: a busy one does not use up what another may take. */
export const admissionCount: TableDef<string, AdmissionCount> = {
  id: CORE_TABLES.admissionCount,
  name: 'admission_count',
  bound: {
    holds: 'two counts',
    filledBy: 'transfers that make accounts',
    atBound: '`admission_limit`; one row a domain',
  },
  key: string(128),
  value: admissionCount_ as Schema<AdmissionCount>,
}

/** Fees that wait for those whom they reward, by definition; they are part of its total. */
export const pots: TableDef<string, Numeric> = {
  id: CORE_TABLES.pots,
  name: 'pots',
  bound: { holds: 'an amount of 512 bits', filledBy: 'fees', atBound: 'what does not fit is burned' },
  key: assetDefinitionId,
  value: numeric,
}

export const FEE_TABLES = [sponsorships, admissions, admissionCount, pots]
