/** Owns the processor time of this process and of the processes that it started and waited for. */
import { readFileSync } from 'node:fs'

/** Clock ticks a second in `/proc`: a constant of the Linux ABI. */
const TICKS = 100
/** Places of cutime and cstime behind the command of `/proc/self/stat` (proc(5), fields 16 and 17). */
const CUTIME = 13
const CSTIME = 14

/** Seconds of processes that were waited for; 0 on a system without `/proc`. */
function ofChildren() {
  let line
  try {
    line = readFileSync('/proc/self/stat', 'utf8')
  } catch {
    return 0
  }
  // The command may hold spaces and parentheses.
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[CUTIME]) + Number(fields[CSTIME])) / TICKS
}

/** Seconds of processor time so far, user and system. */
export function processorSeconds() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6 + ofChildren()
}
