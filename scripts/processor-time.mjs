/** Owns the processor time of this process, or of this thread of it, and of the processes that it started and waited for. */
import { readFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

/** Clock ticks a second in `/proc`: a constant of the Linux ABI. */
const TICKS = 100
/** Places behind the command of a line of `/proc/self/stat` (proc(5), fields 14 to 17). */
const PLACE = { utime: 11, stime: 12, cutime: 13, cstime: 14 }

/** Sum of fields of the line of a process or thread in `/proc`, in seconds. Throws if there is no such line. */
function fromProc(name, places) {
  const line = readFileSync(`/proc/${name}/stat`, 'utf8')
  // The command may hold spaces and parentheses.
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ')
  return places.reduce((sum, place) => sum + Number(fields[place]), 0) / TICKS
}

/** Seconds of a process with all its threads. Linux only. */
export const secondsOf = (pid) => fromProc(pid, [PLACE.utime, PLACE.stime])

/** Seconds of the processes that this one started and waited for. Linux only. */
export const secondsOfChildren = () => fromProc('self', [PLACE.cutime, PLACE.cstime])

/** A measurement, or 0 on a system without `/proc`. */
function orNothing(measure) {
  try {
    return measure()
  } catch {
    return 0
  }
}

/**
 * Seconds of processor time so far, user and system. On a worker thread that is its own time: neither its process nor the threads that
 * it started count.
 */
export function processorSeconds() {
  if (!isMainThread) return orNothing(() => secondsOf('thread-self'))
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6 + orNothing(secondsOfChildren)
}
