/**
 * Owns the tables of account admission: policies of domains, and counts of created accounts (docs/design/lanes.md 5).
 */

import { hash32, type Infer, string, struct, u32, varint } from '../codec/index.js'
import { type AdmissionPolicy, admissionPolicy, domainId } from '../model/index.js'
import type { TableDef } from '../state/index.js'
import { KERNEL_TABLES } from './ids.js'

/** Account admission by domain; explicit if absent. */
export const admissions: TableDef<string, AdmissionPolicy> = {
  id: KERNEL_TABLES.admissions,
  name: 'admissions',
  bound: { holds: 'one policy', filledBy: 'SetAdmission', atBound: 'leaves with its domain' },
  key: domainId,
  value: admissionPolicy,
}

/** Number of accounts created by the last block and transaction that created any. */
export interface AdmissionCount extends Infer<typeof admissionCount_> {}
const admissionCount_ = struct('AdmissionCount', {
  height: varint,
  inBlock: u32,
  transaction: hash32,
  inTransaction: u32,
})
/** By domain, so that a busy domain does not exhaust the limit of others. */
export const admissionCount: TableDef<string, AdmissionCount> = {
  id: KERNEL_TABLES.admissionCount,
  name: 'admission_count',
  bound: {
    holds: 'two counts',
    filledBy: 'transfers that create accounts',
    atBound: '`admission_limit`; one row a domain',
  },
  key: string(128),
  value: admissionCount_,
}
