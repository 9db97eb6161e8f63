/**
 * Owns the routing policy: the rules that a transaction is matched against, and their order (docs/design/lanes.md 6).
 */
import { enumOf, type Infer, list, option, struct, text, u8, u32, varint, varintBig } from '../codec/index.js'
import { accountId, domainId } from '../model/index.js'
import { SINGLE_LANE } from './catalogue.js'

/** Maximum number of rules in one policy. A transaction is checked against each rule at most twice. */
export const RULES_MAX = 256
/** Longest label, subject or verb of an instruction, in bytes. */
const LABEL_MAX_BYTES = 64
const WORD = /^[a-z][a-z0-9_]*$/

function labelFault(value: string): string | undefined {
  const words = value.split('::')
  return words.length <= 2 && words.every((word) => WORD.test(word))
    ? undefined
    : 'an instruction must be matched by its label (asset::transfer), its subject (asset) or its verb (transfer)'
}

/** Matches instructions by their label (`asset::transfer`), subject (`asset`) or verb (`transfer`). */
export const instructionMatcher = text('InstructionMatcher', LABEL_MAX_BYTES, labelFault)

/** Account condition of a rule: one account, or all accounts of a domain. */
const accountMatcher = enumOf('AccountMatcher', { account: [0, accountId], domain: [1, domainId] })

/** Routing rule; its dataspace is the one of its lane. */
export interface RoutingRule extends Infer<typeof routingRule> {}
export const routingRule = struct('RoutingRule', {
  lane: u32,
  /** Restricts the rule to transactions of this dataspace. */
  scope: option(varintBig),
  account: option(accountMatcher),
  /** Label, subject or verb; any instruction of the transaction may match. */
  instruction: option(instructionMatcher),
})

/** The policy of a chain. */
export interface RoutingPolicy extends Infer<typeof routingPolicy> {}
export const routingPolicy = struct('RoutingPolicy', {
  /** Incremented with every change. */
  version: varint,
  defaultLane: u32,
  rules: list(routingRule, RULES_MAX),
})

/** Maximum rules in one row of a policy, at the maximum size of a rule. */
const RULES_PER_PAGE = 128
/** Rows of one policy. */
export const POLICY_PAGES_MAX = Math.ceil(RULES_MAX / RULES_PER_PAGE)

/** Part of a policy in one row of the state. */
export interface PolicyPage extends Infer<typeof policyPage> {}
export const policyPage = struct('RoutingPolicyPage', {
  page: u8,
  version: varint,
  defaultLane: u32,
  rules: list(routingRule, RULES_PER_PAGE),
})

/** Split a policy into its rows, at least one. */
export const pagesOfPolicy = ({ rules, ...head }: RoutingPolicy): PolicyPage[] =>
  Array.from({ length: Math.max(1, Math.ceil(rules.length / RULES_PER_PAGE)) }, (_, page) => ({
    ...head,
    page,
    rules: rules.slice(page * RULES_PER_PAGE, (page + 1) * RULES_PER_PAGE),
  }))

/** Join the rows of a policy, in their order. */
export function joinedPolicy(pages: readonly PolicyPage[]): RoutingPolicy {
  const [first] = pages
  if (first === undefined) throw new Error('a policy has at least one row')
  const { version, defaultLane } = first
  return { version, defaultLane, rules: pages.flatMap((page) => page.rules) }
}

/** Policy of a chain that has not set one. */
export const DEFAULT_POLICY: RoutingPolicy = { version: 0, defaultLane: SINGLE_LANE, rules: [] }

/** True if a label equals the wanted text, or has it as its subject or verb. */
export function matchesLabel(wanted: string, label: string): boolean {
  if (wanted === label) return true
  const at = label.indexOf('::')
  return wanted === label.slice(0, at) || wanted === label.slice(at + 2)
}
