/** Owns the measuring of a running network: heights as they are committed, a load from its own process, saturation. */
import { fork } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { LocalPeer } from '../../src/cli/settings/localnet-record.js'
import { CausewayClient } from '../../src/client/index.js'
import type { Prepared } from './load.js'
import type { BenchNetwork } from './localnet.js'
import { writeRecords } from './records-file.js'

/** How often the height is asked for: the resolution of the latency figures, in ms. */
const WATCH_MS = 4

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
export const wallMs = (): number => performance.timeOrigin + performance.now()

/** Records when each height was first seen committed at one gateway. */
export function watchHeights(gateway: string): { readonly seen: Map<number, number>; stop(): Promise<void> } {
  const client = new CausewayClient({ gateway })
  const seen = new Map<number, number>()
  let last = 0
  let running = true
  const loop = (async () => {
    while (running) {
      const { blocks } = await client.status()
      const now = wallMs()
      for (let height = last + 1; height <= blocks; height++) seen.set(height, now)
      last = Math.max(last, blocks)
      await sleep(WATCH_MS)
    }
  })()
  return {
    seen,
    async stop() {
      running = false
      await loop
      await client.close()
    },
  }
}

/** When a peer committed each height, by its own log: measuring costs the network nothing. Ms since the Unix epoch. */
export async function commitTimes(peer: LocalPeer): Promise<Map<number, number>> {
  const times = new Map<number, number>()
  for (const line of (await readFile(join(peer.folder, 'node.log'), 'utf8')).split('\n')) {
    if (!line.includes('"block committed"')) continue
    const { height, time } = JSON.parse(line) as { height: number; time: string }
    times.set(height, Date.parse(time))
  }
  return times
}

/** Files of loads so far: two loads may run side by side. */
let sends = 0

/** Sends a file of transactions from a process of its own; resolves with the time at which each left. */
export async function sendFrom(
  network: BenchNetwork,
  prepared: readonly Prepared[],
  rate: number,
): Promise<Map<string, number>> {
  sends += 1
  const file = join(network.folder, `load-${sends}.bin`)
  await writeRecords(file, prepared)
  const child = fork(new URL('./sender.js', import.meta.url).pathname, [file, String(rate), ...network.target.gateways])
  await new Promise((resolve) => child.once('message', resolve))
  const done = new Promise<{ atMs: [string, number][]; refused: [number, number][] }>((resolve, reject) => {
    child.once('message', (message) => resolve(message as never))
    child.once('exit', (code) => reject(new Error(`the sender ended with ${code}`)))
  })
  child.send('go')
  const { atMs, refused } = await done
  if (refused.length > 0) process.stderr.write(`bench: refused ${JSON.stringify(refused)}\n`)
  return new Map(atMs)
}

export async function saturation(network: BenchNetwork, prepared: readonly Prepared[]) {
  const client = new CausewayClient({ gateway: network.target.gateways[0] ?? '' })
  const before = await client.status()
  const samples: { atMs: number; approved: number }[] = []
  let sending = true
  const watch = (async () => {
    for (;;) {
      const status = await client.status()
      samples.push({ atMs: performance.now(), approved: status.txsApproved })
      if (!sending && status.queueSize === 0) return
      await sleep(100)
    }
  })()
  await sendFrom(network, prepared, 0)
  sending = false
  await watch
  const after = await client.status()
  await client.close()
  const committed = after.txsApproved - before.txsApproved
  // From the first to the last sample at which the count moved: neither the ramp before nor the wait after.
  const first = samples.filter((one) => one.approved === before.txsApproved).at(-1) ?? samples[0]
  const last = samples.find((one) => one.approved === after.txsApproved) ?? samples.at(-1)
  const seconds = ((last?.atMs ?? 0) - (first?.atMs ?? 0)) / 1_000
  return { committed, perSecond: committed / seconds, blocks: after.blocks - before.blocks }
}
