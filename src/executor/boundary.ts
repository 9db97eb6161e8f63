/** Owns the failure boundary of block execution: a throw rejects its transaction or run, and does not affect others. */
import { errorMessage } from '../base/thrown.js'
import { StateFault } from '../state/index.js'
import { EngineFault } from '../vm/index.js'
import { type Rejection, reject } from './contract.js'
import { TeuExhausted } from './meter.js'

/**
 * Result of `work`, or its rejection: units exhausted, or a throw. A throw is a bug that earlier checks should have
 * prevented. It is the same on every node, so it rejects like any other error; nodes that differ here differ in their
 * roots. An unreadable state, or a failed contract engine, is rethrown and ends the node. `what` describes the work in
 * messages.
 */
export function orRejected<T>(what: string, work: () => T): T | Rejection {
  try {
    return work()
  } catch (error) {
    if (error instanceof StateFault || error instanceof EngineFault) throw error
    if (error instanceof TeuExhausted) return reject('teu_exhausted', error.message)
    return reject('executor_fault', `${what}: ${errorMessage(error)}`)
  }
}
