/** Owns the fault of a state that cannot be read: disk or memory is at fault, never the instruction that asked. */

/** The node must end; no verdict about a transaction or a block may come of it. */
export class StateFault extends Error {}
