/** Owns the list of the threads of this process and their utilisation, measured without messages to the threads. */
import { performance } from 'node:perf_hooks'
import type { Worker } from 'node:worker_threads'

/** Busy and idle time of a thread's event loop, in seconds since its start. */
export interface ThreadTime {
  readonly activeSeconds: number
  readonly idleSeconds: number
}

/** Running threads with their names. */
const listed = new Map<Worker, string>()

/** List a thread until it ends. Threads of several nodes with the same name are exported as one. */
export function listThread(name: string, worker: Worker): void {
  listed.set(worker, name)
  worker.once('exit', () => listed.delete(worker))
}

/** Utilisation of each thread by name; the calling thread is `main`. A restarted thread begins at 0. */
export function threadTimes(): ReadonlyMap<string, ThreadTime> {
  const times = new Map([['main', timeOf(performance)]])
  for (const [worker, name] of listed) {
    const time = timeOf(worker.performance)
    const other = times.get(name)
    times.set(name, {
      activeSeconds: time.activeSeconds + (other?.activeSeconds ?? 0),
      idleSeconds: time.idleSeconds + (other?.idleSeconds ?? 0),
    })
  }
  return times
}

function timeOf({ eventLoopUtilization }: Pick<Worker['performance'], 'eventLoopUtilization'>): ThreadTime {
  const { active, idle } = eventLoopUtilization()
  return { activeSeconds: active / 1_000, idleSeconds: idle / 1_000 }
}
