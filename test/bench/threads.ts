/** Owns the processor time of the threads of processes. */
import { readdir, readFile } from 'node:fs/promises'
import { pidOf } from '../../src/cli/localnet/process.js'
import type { LocalPeer } from '../../src/cli/settings/localnet-record.js'

/** Ticks of proc(5) per second. */
const TICKS = 100

/** Processor time so far of all threads of peers by name, in seconds; equal names are combined. */
export async function threadsOf(peers: readonly LocalPeer[]): Promise<ReadonlyMap<string, number>> {
  const times = new Map<string, number>()
  for (const peer of peers) {
    const pid = await pidOf(peer)
    if (pid === undefined) continue
    for (const thread of await readdir(`/proc/${pid}/task`)) {
      const place = `/proc/${pid}/task/${thread}`
      const [comm, stat] = await Promise.all([readFile(`${place}/comm`, 'utf8'), readFile(`${place}/stat`, 'utf8')])
      // Fields 14 and 15 of proc(5), in ticks.
      const fields = stat.slice(stat.lastIndexOf(') ') + 2).split(' ')
      const name = Number(thread) === pid ? 'main' : comm.trim()
      times.set(name, (times.get(name) ?? 0) + (Number(fields[11]) + Number(fields[12])) / TICKS)
    }
  }
  return times
}
