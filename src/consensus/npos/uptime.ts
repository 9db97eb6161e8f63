/** Owns the presence of members: a certificate may contain only a quorum, so only a long absence is significant. */

const SLOT_MIN_HEIGHTS = 32
const SLOT_HEIGHTS_PER_MEMBER = 8
/** Consecutive missed slots after which a member counts as absent. */
export const MISSED_SLOTS_MAX = 4

/** Heights of a slot: a healthy but slow member is missed in 0.03 % of them. */
export const slotHeights = (members: number): number => Math.max(SLOT_MIN_HEIGHTS, SLOT_HEIGHTS_PER_MEMBER * members)

/** Member to be removed from the next roster without a proven fault. */
export interface Absence<T> {
  readonly member: T
  /** Greater is worse. */
  readonly weight: number
}

/** Members to be removed: the worst, at most `budget`, ties by order. */
export const worstOf = <T>(absences: readonly Absence<T>[], budget: number): T[] =>
  absences
    .map((one, place) => ({ ...one, place }))
    .sort((a, b) => b.weight - a.weight || a.place - b.place)
    .slice(0, budget)
    .map(({ member }) => member)
