/**
 * Owns measurements on a running network: heights as they are committed, a load from a separate process, saturation.
 */
import { fork } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { LocalPeer } from '../../src/cli/settings/localnet-record.js'
import { CausewayClient } from '../../src/client/index.js'
import type { Prepared } from './load.js'
import type { BenchNetwork } from './localnet.js'
import { writeRecords } from './records-file.js'

/** Polling interval of the height, which is the resolution of the latencies, in ms. */
const WATCH_MS = 4

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
export const wallMs = (): number => performance.timeOrigin + performance.now()

/** Record the time at which one gateway first reported each height. */
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

/** Commit times of the heights in a peer's own log, in ms since the Unix epoch: measuring costs the network nothing. */
export async function commitTimes(peer: LocalPeer): Promise<Map<number, number>> {
  const times = new Map<number, number>()
  for (const line of (await readFile(join(peer.folder, 'node.log'), 'utf8')).split('\n')) {
    if (!line.includes('"block committed"')) continue
    const { height, time } = JSON.parse(line) as { height: number; time: string }
    times.set(height, Date.parse(time))
  }
  return times
}

/** Number of load files so far: two loads may run concurrently. */
let sends = 0

/** Send a file of transactions from a separate process; resolves with the time of each submission. */
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
  // From the first to the last sample at which the count changed: without the ramp before and the wait after.
  const first = samples.filter((one) => one.approved === before.txsApproved).at(-1) ?? samples[0]
  const last = samples.find((one) => one.approved === after.txsApproved) ?? samples.at(-1)
  const seconds = ((last?.atMs ?? 0) - (first?.atMs ?? 0)) / 1_000
  return { committed, perSecond: committed / seconds, blocks: after.blocks - before.blocks }
}
