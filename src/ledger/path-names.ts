/** Owns the names that can be a path segment of a route. */
import { type Rejection, reject } from '../executor/contract.js'
import { type ActiveRules, hasRule, type Rule } from '../executor/rules.js'

/**
 * Segments that a URL parser treats as path steps instead of names, in any escaped form (URL standard, "single-dot" and
 * "double-dot" URL path segments).
 */
const STEPS: ReadonlySet<string> = new Set(['.', '..'])

/** Rule of all features that register names; declared in the list of the domains feature. */
export const NO_STEPS_AS_NAMES: Rule = { since: 2, text: 'nothing is registered that is called . or ..' }

/** Rejection of a name that no route could contain. */
export const pathNameFault = (rules: ActiveRules, name: string): Rejection | undefined =>
  STEPS.has(name) && hasRule(rules, NO_STEPS_AS_NAMES)
    ? reject('bad_name', `${name} is a relative path segment, which routes cannot address`)
    : undefined
