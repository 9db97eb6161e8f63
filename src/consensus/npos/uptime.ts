/** Owns who counts as present: a certificate may hold just a quorum, so only being missing for long says anything. */

const SLOT_MIN_HEIGHTS = 32
const SLOT_HEIGHTS_PER_MEMBER = 8
/** Slots missed running after which a member is away. */
export const MISSED_SLOTS_MAX = 4

/** Heights of a slot: a healthy but slow member is missed in 0.03 % of them. */
export const slotHeights = (members: number): number => Math.max(SLOT_MIN_HEIGHTS, SLOT_HEIGHTS_PER_MEMBER * members)

/** A member that is to be left out of the next roster without a proven fault. */
export interface Absence<T> {
  readonly member: T
  /** Greater is worse. */
  readonly weight: number
}

/** Those that are left out: the worst, at most `budget`, ties by their order. */
export const worstOf = <T>(absences: readonly Absence<T>[], budget: number): T[] =>
  absences
    .map((one, place) => ({ ...one, place }))
    .sort((a, b) => b.weight - a.weight || a.place - b.place)
    .slice(0, budget)
    .map(({ member }) => member)
