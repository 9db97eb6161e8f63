/** Owns the pure rules of nominated proof of stake: election, seats, randomness, calendar, uptime, rewards, slashing. */
export { BASE_BPS, earnedBy, partOf, shareOf, slashBps } from './amounts.js'
export { closingBlocks, placeOf, STEPS, type Windows } from './calendar.js'
export { type Elected, type ElectionRules, elect, entitySeatsMax } from './election.js'
export type { Candidate, Voter } from './phragmen.js'
export { commitmentOf, nextSeed, revealOf, revealSignBytes } from './randomness.js'
export { MISSED_SLOTS_MAX, slotHeights, worstOf } from './uptime.js'
