/** Owns the rules of multisig accounts that differ between ABIs. */
import type { Rule } from '../../../executor/rules.js'

export const MULTISIG_RULES = {
  sharesOfProposals: {
    since: 2,
    text: 'one member has at most its share of the open proposals of an account',
  },
} as const satisfies Record<string, Rule>
