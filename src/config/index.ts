/** Building blocks of configuration: kinds of values, keys, sections, faults. */
export * from './faults.js'
export * from './host-port.js'
export * from './kinds.js'
export * from './section.js'
export * from './toml.js'
