/**
 * Owns the self-checks of features: known computations that a process runs once, before it executes blocks of an ABI
 * with such checks.
 */
import { type Abi, type SelfCheck, trialRunOf } from '../../executor/index.js'
import { LedgerError } from '../../model/index.js'

/** Checks that this process has passed; they are not run again. */
const done = new Set<SelfCheck>()

/** Run the self-checks of an ABI. Throws `engine_differs` if this machine computes other results than the release. */
export function runSelfChecks(abi: Abi): void {
  for (const check of abi.features.flatMap(({ selfChecks }) => selfChecks)) {
    if (done.has(check)) continue
    const fault = check(trialRunOf(abi))
    if (fault !== undefined)
      throw new LedgerError('engine_differs', `this machine would compute other results than the network: ${fault}`)
    done.add(check)
  }
}
