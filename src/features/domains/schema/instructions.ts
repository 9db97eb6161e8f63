/** Owns the records of the instructions about domains (docs/design/lanes.md 1). */

import { option, struct, varintBig } from '../../../codec/index.js'
import { defineInstruction, domainId, type Metadata, metadata } from '../../../model/index.js'
import { DOMAIN_INSTRUCTIONS as ID } from './ids.js'

export interface RegisterDomain {
  readonly id: string
  /** Dataspace that it lies in for good; absent: the universal one. */
  readonly dataspace: bigint | undefined
  readonly metadata: Metadata
}
const registerDomain_ = struct('RegisterDomain', { id: domainId, dataspace: option(varintBig), metadata })
export const registerDomain = defineInstruction<RegisterDomain>(
  ID.registerDomain,
  'registerDomain',
  'domain::register',
  registerDomain_,
)

export interface UnregisterDomain {
  readonly id: string
}
const unregisterDomain_ = struct('UnregisterDomain', { id: domainId })
export const unregisterDomain = defineInstruction<UnregisterDomain>(
  ID.unregisterDomain,
  'unregisterDomain',
  'domain::unregister',
  unregisterDomain_,
)
