/** Owns which names may stand alone in the path of a route. */
import { type Rejection, reject } from '../executor/contract.js'
import { hasFirstRules } from '../executor/first-rules.js'

/** Steps of a path rather than names in it, however they are escaped (URL standard, "single-dot" and "double-dot" URL path segments). */
const STEPS: ReadonlySet<string> = new Set(['.', '..'])

/** Why nothing can have this name: no route could show it. ABI 1 takes any. */
export const pathNameFault = (rules: Parameters<typeof hasFirstRules>[0], name: string): Rejection | undefined =>
  STEPS.has(name) && !hasFirstRules(rules)
    ? reject('bad_name', `${name} is a step in the paths of routes, which could never show it`)
    : undefined
