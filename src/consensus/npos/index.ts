/** Owns the pure rules of nominated proof of stake: election, seats, randomness, calendar, uptime, rewards, slashing. */
export { BASE_BPS, earnedBy, partOf, shareOf, slashBps } from './amounts.js'
export { closingBlocks, placeOf, STEPS, type Windows } from './calendar.js'
export {
  BPS,
  ballotOf,
  type Elected,
  type ElectionRules,
  type Exposure,
  elect,
  entitySeatsMax,
} from './election.js'
export { type Candidate, runPhragmen, SEAT_LOAD, type Voter } from './phragmen.js'
export { commitmentOf, nextSeed, type RandomnessPlace, type Reveal, revealOf, revealSignBytes } from './randomness.js'
export { type Absence, MISSED_SLOTS_MAX, slotHeights, worstOf } from './uptime.js'
