/** Owns the rules of triggers that differ between ABIs. */
import type { Rule } from '../../../executor/rules.js'

export const TRIGGER_RULES = {
  idleRemovable: {
    since: 2,
    text: 'whoever may watch the same removes a trigger without power',
  },
  vetoOfDomains: {
    since: 2,
    text: 'the owner of a domain has a veto over events of domains only',
  },
} as const satisfies Record<string, Rule>
