/** Owns the rules of lanes that differ between ABIs. */
import type { Rule } from '../../../executor/rules.js'

export const LANE_RULES = {
  revokesBelow: {
    since: 2,
    text: 'revoking a relay anchor revokes those of lower heights',
  },
} as const satisfies Record<string, Rule>
