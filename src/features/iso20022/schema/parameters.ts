/** Owns the chain parameters of the bridge. */
import { bool } from '../../../codec/index.js'
import type { ParameterDef } from '../../../model/index.js'

/** True if a submitter may use each UETR for only one payment. */
export const ISO_UETR_UNIQUE: ParameterDef<boolean> = {
  name: 'iso_uetr_unique',
  schema: bool,
  fallback: true,
  activationDelay: 1,
  since: 2,
}
