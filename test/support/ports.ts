/** Owns free ports and patience: what every test with real processes needs. */
import { randomInt } from 'node:crypto'
import { takenPorts } from '../../src/node/genesis/ports.js'
import { WORKERS } from './workers.js'

/** Ports are probed here: below the range from which systems take the ports of outgoing connections. */
const PORTS = { from: 20_000, to: 32_000 }
/** Each worker of the test runner probes a share of its own, so that none takes what another's node left for a restart. */
const SHARE = (PORTS.to - PORTS.from) / WORKERS
const SHARE_FROM = PORTS.from + ((Number(process.env.VITEST_POOL_ID ?? 1) - 1) % WORKERS) * SHARE
/** Longest wait for anything that must happen, in ms: far more than it takes on a busy machine. */
export const PATIENCE_MS = 120_000
const POLL_MS = 50

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Asks until `look` gives a value; fails with `what` when it does not in time. */
export async function until<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  const deadlineMs = performance.now() + PATIENCE_MS
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    if (performance.now() > deadlineMs) throw new Error(`waited in vain for ${what}`)
    await pause(POLL_MS)
  }
}

/** Start of a range of free ports of the loopback address. */
export async function freePorts(count: number): Promise<number> {
  for (;;) {
    const base = randomInt(SHARE_FROM, SHARE_FROM + SHARE - count)
    if ((await takenPorts(base, count)).length === 0) return base
  }
}
