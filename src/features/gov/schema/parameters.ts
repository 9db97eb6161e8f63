/** Owns the parameter of governance. */
import { u32 } from '../../../codec/index.js'
import type { ParameterDef } from '../../../model/index.js'

const ENACT_TEU_MIN = 25_000
/** Maximum units of a proposal step. */
export const ENACT_TEU_MAX = 50_000

/** Units of the step that enacts a list, including its own. The minimum fits a RegisterPeer. */
export const GOV_ENACT_TEU: ParameterDef<number> = {
  name: 'gov_enact_teu',
  schema: u32,
  fallback: ENACT_TEU_MAX,
  activationDelay: 1,
  check: (value) =>
    value < ENACT_TEU_MIN || value > ENACT_TEU_MAX
      ? `gov_enact_teu must be between ${ENACT_TEU_MIN} and ${ENACT_TEU_MAX}`
      : undefined,
}
