/** Owns the rules of execution that belong to no feature. */
import type { Rule } from './rules.js'

/** A trigger that is refused for lack of power or units is not looked at again in the same instruction. */
export const REFUSED_TRIGGERS_ARE_PASSED: Rule = {
  since: 2,
  text: 'a trigger without power or units is passed over for the rest of its instruction',
}

export const KERNEL_RULES: readonly Rule[] = [REFUSED_TRIGGERS_ARE_PASSED]
