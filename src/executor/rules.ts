/**
 * Owns rules of execution as declarations. Nodes of two releases with the same ABI must reach the same decisions, so a
 * changed decision is a rule with its own `since` (docs/decisions/0085).
 */
import type { Dated } from '../model/index.js'

/** A rule of execution. */
export interface Rule extends Dated {
  /** Text of the rule, hashed in place of its implementation; it must change with it. */
  readonly text: string
}

/** Rules of the active ABI. */
export interface ActiveRules {
  readonly abi: { readonly rules: ReadonlySet<Rule> }
}

/** True if the active ABI has a rule. Only rules that the kernel or a feature lists are part of an ABI. */
export const hasRule = ({ abi }: ActiveRules, rule: Rule): boolean => abi.rules.has(rule)

/** A trigger that is refused for lack of authority or units is skipped for the rest of the same instruction. */
export const REFUSED_TRIGGERS_ARE_PASSED: Rule = {
  since: 2,
  text: 'a trigger without power or units is passed over for the rest of its instruction',
}

/** An instruction whose list of primary domains is empty, such as an assertion, has no part in the route of its transaction. */
export const ROUTES_IGNORE_ASSERTIONS: Rule = {
  since: 2,
  text: 'instructions about no domain do not take part in the route of their transaction',
}

export const KERNEL_RULES: readonly Rule[] = [REFUSED_TRIGGERS_ARE_PASSED, ROUTES_IGNORE_ASSERTIONS]
