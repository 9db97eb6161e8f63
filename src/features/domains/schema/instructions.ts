/** Owns the records of the instructions about domains (docs/design/lanes.md 1). */

import { type Infer, option, struct, varintBig } from '../../../codec/index.js'
import { defineInstruction, domainId, metadata } from '../../../model/index.js'
import { DOMAIN_INSTRUCTIONS as ID } from './ids.js'

export interface RegisterDomain extends Infer<typeof registerDomain_> {}
const registerDomain_ = struct('RegisterDomain', {
  id: domainId,
  /** Dataspace that it lies in for good; absent: the universal one. */
  dataspace: option(varintBig),
  metadata,
})
export const registerDomain = defineInstruction<RegisterDomain>(
  ID.registerDomain,
  'registerDomain',
  'domain::register',
  registerDomain_,
)

export interface UnregisterDomain extends Infer<typeof unregisterDomain_> {}
const unregisterDomain_ = struct('UnregisterDomain', { id: domainId })
export const unregisterDomain = defineInstruction<UnregisterDomain>(
  ID.unregisterDomain,
  'unregisterDomain',
  'domain::unregister',
  unregisterDomain_,
)
