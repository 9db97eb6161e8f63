/**
 * Owns the account admission policies (docs/design/lanes.md 5): the domains in which incoming value creates accounts.
 */
import { type Infer, numeric, option, type Schema, struct, u32, unitEnum } from '../codec/index.js'
import type { ParameterDef } from './definition.js'
import { name } from './names.js'

/** True if incoming value can create an account. */
export type AdmissionMode = 'explicit' | 'implicit'
export const admissionMode: Schema<AdmissionMode> = unitEnum('AdmissionMode', { explicit: 0, implicit: 1 })

/** Account admission policy of one domain. */
export interface AdmissionPolicy extends Infer<typeof admissionPolicy> {}
export const admissionPolicy = struct('AdmissionPolicy', {
  mode: admissionMode,
  /** Maximum accounts created by one transaction, and by one block. */
  maxPerTx: u32,
  maxPerBlock: u32,
  /** Minimum amount that creates an account; absent for any amount. */
  minimum: option(numeric),
  /** Role granted to new accounts. */
  defaultRole: option(name),
})

/** Admission limits of the chain for every domain. */
export interface ChainAdmission extends Infer<typeof chainAdmission> {}
export const chainAdmission = struct('ChainAdmission', { mode: admissionMode, maxPerTx: u32, maxPerBlock: u32 })

/** Upper admission limits of the chain for every domain. */
export const ACCOUNT_ADMISSION: ParameterDef<ChainAdmission> = {
  name: 'account_admission',
  schema: chainAdmission,
  fallback: { mode: 'explicit', maxPerTx: 16, maxPerBlock: 256 },
  activationDelay: 1,
}
