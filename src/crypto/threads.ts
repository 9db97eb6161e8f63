/** Owns the list of the threads of this process and their utilisation, measured without asking the threads. */
import { performance } from 'node:perf_hooks'
import type { Worker } from 'node:worker_threads'

/** Time in which the event loop of a thread worked and in which it waited, in seconds since the thread started. */
export interface ThreadTime {
  readonly activeSeconds: number
  readonly idleSeconds: number
}

/** Threads that run, with their names. */
const listed = new Map<Worker, string>()

/** Lists a thread until it ends. Threads of one name, of several nodes in one process, are shown as one. */
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
