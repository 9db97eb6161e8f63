/** The schema side of the core feature: what clients share with the node. */
export * as events from './events.js'
export * from './instructions.js'
export * from './mintable.js'
export * from './owned.js'
export * from './views.js'
