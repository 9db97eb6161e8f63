/** The doctor: finds all faults that keep a node from starting or working. */

export { bundleOf } from './bundle.js'
export { CHECKS, type DiagnosticContext, type Finding, type Level } from './check.js'
export { examineNode } from './examine.js'
export { type Access, NO_ACCESS } from './live.js'
export { checkStart } from './start.js'
