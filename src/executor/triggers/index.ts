/** Triggers: their records, life cycle and conditions. */
export * from './calendar.js'
export * from './life.js'
export * from './lists.js'
export * from './program.js'
export * from './scheduled.js'
export * from './tables.js'
