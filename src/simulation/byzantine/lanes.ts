/** Owns members that lie about lanes: the right transactions in another order, or in another lane. */
import type { Behaviour } from './behaviour.js'

/** Proposes what it should in the order that suits it; everything else in the block fits that order. */
export const wrongTurns = (): Behaviour => ({
  build: (me, block) => me.rearranged(block, (entries) => entries.toReversed()),
})

/** Puts a transaction into a lane that is not its own. */
export const wrongLane = (): Behaviour => ({
  build: (me, block) =>
    me.rearranged(block, ([first, ...rest]) =>
      first === undefined ? [] : [{ ...first, lane: (first.lane + 1) % 3 }, ...rest],
    ),
})
