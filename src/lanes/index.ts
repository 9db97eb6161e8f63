/** Lanes: routing, scheduling, totals and commitments of one ordered block stream. */
export * from './catalogue.js'
export * from './commitment.js'
export * from './policy.js'
export * from './router.js'
export * from './schedule.js'
export * from './tables.js'
export * from './view.js'
