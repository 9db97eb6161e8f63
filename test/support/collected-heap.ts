/** Owns the size of the heap after a full garbage collection, which tests of growth compare. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Bytes of living objects. */
export function collectedHeapBytes(): number {
  // Twice: finalizers of the first round free more.
  collect()
  collect()
  return process.memoryUsage().heapUsed
}
