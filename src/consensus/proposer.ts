/** Owns proposer and collector selection: the committee order with demoted members last (docs/design/consensus.md 2 and 5). */
import type { ValidatorKey } from '../model/index.js'
import { DEMOTION_HEIGHTS } from './limits.js'
import { type Committee, faultBudget } from './roster.js'

/** Last height at which each validator let a view fail, from the world state after h - 2. */
export type Failures = ReadonlyMap<ValidatorKey, number>

/**
 * Demoted members at `height`: the members with the latest failures within the window, at most f of the roster, ties by
 * roster order; none for rosters below 4. Without the cap one member could get nearly all proposals.
 */
export function demotedAt(roster: readonly ValidatorKey[], failures: Failures, height: number): ValidatorKey[] {
  const cap = faultBudget(roster.length)
  return roster
    .map((key, place) => ({ key, place, failedAt: failures.get(key) }))
    .filter((member) => member.failedAt !== undefined && member.failedAt + DEMOTION_HEIGHTS >= height)
    .sort((a, b) => (b.failedAt ?? 0) - (a.failedAt ?? 0) || a.place - b.place)
    .slice(0, cap)
    .map((member) => member.key)
}

/** Proposer order of a height: committee order, demoted members moved to the end. */
export function proposerOrder(committee: Committee, demoted: readonly ValidatorKey[]): ValidatorKey[] {
  const last = new Set(demoted)
  return [...committee.keys.filter((key) => !last.has(key)), ...committee.keys.filter((key) => last.has(key))]
}

/** Proposer of a view. */
export function proposerOf(order: readonly ValidatorKey[], view: number): ValidatorKey {
  const key = order[view % order.length]
  if (key === undefined) throw new Error('the committee is empty')
  return key
}

/**
 * Number of members that collect votes, without the members that `redundantSendR` adds. `collectorsK` 0 is auto: all of
 * up to seven members, which saves a hop; otherwise f + 1, of which one is correct. If the number covers all members
 * but the proposer, all members collect.
 */
export function collectorCount(members: number, collectorsK: number): number {
  const least = faultBudget(members) + 1
  const auto = members <= 7 ? members : least
  const wanted = collectorsK === 0 ? auto : Math.max(collectorsK, least)
  return wanted >= members - 1 ? members : wanted
}

/** Vote collectors of a view: members after the proposer in the order. */
export function collectorsOf(
  order: readonly ValidatorKey[],
  view: number,
  collectorsK: number,
  redundantSendR: number,
): ValidatorKey[] {
  const members = order.length
  const wanted = collectorCount(members, collectorsK)
  if (wanted === members) return [...order]
  const count = Math.min(members - 1, wanted + redundantSendR)
  return Array.from({ length: count }, (_, step) => proposerOf(order, view + 1 + step))
}
