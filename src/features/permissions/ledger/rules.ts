/** Owns the rules of permissions and roles that differ between ABIs. */
import type { Rule } from '../../../executor/rules.js'

export const GRANT_RULES = {
  holdersRevoke: {
    since: 2,
    text: 'an account revokes permissions and roles that it holds',
  },
} as const satisfies Record<string, Rule>
