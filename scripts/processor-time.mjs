/** Owns the processor time of this process, or of this thread of it, and of the processes that it started and waited for. */
import { readFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

/** Clock ticks a second in `/proc`: a constant of the Linux ABI. */
const TICKS = 100
/** Places behind the command of a line of `/proc/self/stat` (proc(5), fields 14 to 17). */
const PLACE = { utime: 11, stime: 12, cutime: 13, cstime: 14 }

/** Sum of fields of a line of `/proc`, in seconds; 0 on a system without it. */
function fromProc(path, places) {
  let line
  try {
    line = readFileSync(path, 'utf8')
  } catch {
    return 0
  }
  // The command may hold spaces and parentheses.
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ')
  return places.reduce((sum, place) => sum + Number(fields[place]), 0) / TICKS
}

/**
 * Seconds of processor time so far, user and system. On a worker thread that is its own time: neither its process nor the threads that
 * it started count.
 */
export function processorSeconds() {
  if (!isMainThread) return fromProc('/proc/thread-self/stat', [PLACE.utime, PLACE.stime])
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6 + fromProc('/proc/self/stat', [PLACE.cutime, PLACE.cstime])
}
