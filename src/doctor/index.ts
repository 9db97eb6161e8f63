/** The doctor: everything that keeps a node from starting or from being well, found at once. */

export { bundleOf } from './bundle.js'
export { CHECKS, type DiagnosticContext, type Finding, type Level } from './check.js'
export { examineNode } from './examine.js'
export { type Access, NO_ACCESS } from './live.js'
