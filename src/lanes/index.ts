/** Lanes: routing, totals and commitments of one ordered block stream. */
export * from './commitment.js'
export * from './router.js'
