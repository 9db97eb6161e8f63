/** Owns account admission as it is decided (docs/design/lanes.md 5): which domains let value that arrives make an account. */
import { type Numeric, numeric, option, type Schema, struct, u32, unitEnum } from '../codec/index.js'
import type { ParameterDef } from './definition.js'
import { name } from './names.js'

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

/** What the chain allows every domain. */
export interface ChainAdmission {
  readonly mode: AdmissionMode
  readonly maxPerTx: number
  readonly maxPerBlock: number
}
const chainAdmission_ = struct('ChainAdmission', { mode: admissionMode, maxPerTx: u32, maxPerBlock: u32 })
export const chainAdmission: Schema<ChainAdmission> = chainAdmission_

/** What the chain allows every domain at most. */
export const ACCOUNT_ADMISSION: ParameterDef<ChainAdmission> = {
  name: 'account_admission',
  schema: chainAdmission,
  fallback: { mode: 'explicit', maxPerTx: 16, maxPerBlock: 256 },
  activationDelay: 1,
}
