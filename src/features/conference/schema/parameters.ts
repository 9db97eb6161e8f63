/** Owns the parameters of conferences. */
import { option, u32 } from '../../../codec/index.js'
import { type ParameterDef, type VerifyingKeyId, verifyingKeyId } from '../../../model/index.js'
import { RING_MAX } from './records.js'

const keyParameter = (name: string): ParameterDef<VerifyingKeyId | undefined> => ({
  name,
  schema: option(verifyingKeyId),
  fallback: undefined,
  activationDelay: 1,
})
/** Key of joins, leaves and signals of members; unset: they fail. */
export const CONFERENCE_ROSTER_VK = keyParameter('conference_roster_vk')
/** Key of private usage; unset: it fails. */
export const CONFERENCE_USAGE_VK = keyParameter('conference_usage_vk')

/** Maximum seats and admitted keys of a private call: the cost of a listed join grows with them. */
export const CONFERENCE_MAX_RING: ParameterDef<number> = {
  name: 'conference_max_ring',
  schema: u32,
  fallback: 64,
  activationDelay: 1,
  check: (value) =>
    value < 2 || value > RING_MAX ? `conference_max_ring must be between 2 and ${RING_MAX}` : undefined,
}
