/**
 * Owns rules of execution as declarations. Nodes of two releases that run one ABI have to decide alike, so what an ABI decides
 * otherwise than the one before it is a rule with a `since` of its own (docs/decisions/0085).
 */
import type { Dated } from '../model/index.js'

/** A rule of execution. */
export interface Rule extends Dated {
  /** What it says, in words that change when the rule does: they are hashed in its place. */
  readonly text: string
}

/** The rules of the ABI that is active. */
export interface ActiveRules {
  readonly abi: { readonly rules: ReadonlySet<Rule> }
}

/** Whether the active ABI has a rule. Only rules that the kernel or a feature lists are part of an ABI. */
export const hasRule = ({ abi }: ActiveRules, rule: Rule): boolean => abi.rules.has(rule)
