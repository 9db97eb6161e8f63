/** A gateway that another node watches: one that sends without end costs a wait, one that ended is opened again. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { CausewayClient } from '../../../src/client/index.js'
import { READ_BYTES_PER_SECOND, RETRY_LAST_MS } from '../../../src/features/telemetry/node/limits.js'
import { WatchedGateway } from '../../../src/features/telemetry/node/watched-gateway.js'
import { CODEC } from '../gateway/support.js'

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const done = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done)
  })

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** A gateway that is watched, whose stream of blocks is what `pieces` gives at each opening. */
function watched(pieces: () => AsyncIterable<Uint8Array>) {
  let opened = 0
  const client = {
    chain: async () => ({ validatorKey: 'key' }),
    codec: async () => CODEC,
    health: async () => ({ version: '0.1.0', height: 7 }),
    status: async () => Promise.reject(new Error('hidden')),
    close: async () => undefined,
    rawEvents: async () => {
      opened += 1
      return pieces()
    },
  } as unknown as CausewayClient
  const gateway = new WatchedGateway({
    url: 'http://gateway',
    client,
    wallMs: () => Date.now(),
    monotonicMs: () => performance.now(),
    pause,
    onBlock: () => undefined,
  })
  gateway.start()
  return { gateway, opened: () => opened }
}

/** Stops the watching, while time goes on for as long as that takes. */
async function stopped(gateway: WatchedGateway): Promise<void> {
  let isOver = false
  const stopping = gateway.stop().then(() => {
    isOver = true
  })
  while (!isOver) await vi.advanceTimersByTimeAsync(1_000)
  await stopping
}

describe('the stream of a watched gateway', () => {
  it('is read at a limited rate of bytes a second', async () => {
    const piece = Buffer.from(`: ${'x'.repeat(16 * 1024 - 4)}\n\n`)
    let taken = 0
    const { gateway } = watched(async function* () {
      for (;;) {
        taken += piece.length
        yield piece
      }
    })
    for (let second = 1; second <= 10; second++) {
      await vi.advanceTimersByTimeAsync(1_000)
      expect(taken, `after ${second} s`).toBeLessThanOrEqual((second + 1) * (READ_BYTES_PER_SECOND + piece.length))
    }
    expect(taken).toBeGreaterThan(5 * READ_BYTES_PER_SECOND)
    await stopped(gateway)
  })

  it('is opened again when it ends, at increasing intervals while it reports no block', async () => {
    // biome-ignore lint/correctness/useYield: a stream that ends at once
    const { gateway, opened } = watched(async function* () {
      await Promise.resolve()
    })
    await vi.advanceTimersByTimeAsync(10 * RETRY_LAST_MS)
    const first = opened()
    expect(first).toBeGreaterThan(8)
    await vi.advanceTimersByTimeAsync(10 * RETRY_LAST_MS)
    expect(opened() - first).toBeLessThanOrEqual(21)
    expect(opened() - first).toBeGreaterThanOrEqual(9)
    await stopped(gateway)
  })
})
