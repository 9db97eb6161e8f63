/** Owns the boundary of what runs in a block: what it throws rejects it, and stops nobody else. */
import { errorMessage } from '../base/thrown.js'
import { StateFault } from '../state/index.js'
import { EngineFault } from '../vm/index.js'
import { type Rejection, reject } from './contract.js'
import { TeuExhausted } from './meter.js'

/**
 * What something came to, or why it did not: its units ended, or it threw. A throw is a fault of this program that checks
 * should have kept away. It is the same on every node, so it rejects like any other error; nodes that differ here differ in
 * their roots. A state that cannot be read, or an engine of contracts that failed, is no verdict about anything: that ends the node. `what` was it, for people.
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
