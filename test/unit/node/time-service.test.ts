/** The node's clock beside those of its peers, on made-up clocks. */
import { describe, expect, it } from 'vitest'
import { TimeService } from '../../../src/node/peers/time-service.js'

const PEERS = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(48))

/** A service whose peers have these clocks, in ms ahead of ours, each answering after a delay. */
function serviceOf(peers: readonly { readonly aheadMs: number; readonly delayMs: number }[]) {
  let nowMs = 1_000
  const asked: [string, number][] = []
  const service = new TimeService({
    wallMs: () => 1_700_000_000_000 + nowMs,
    monotonicMs: () => nowMs,
    connected: () => PEERS.slice(0, peers.length),
    ask: (peer, number) => asked.push([peer, number]),
  })
  return {
    service,
    asked,
    pass: (ms: number) => {
      nowMs += ms
    },
    /** One round: everybody is asked and answers. */
    round() {
      nowMs += 5_000
      service.beat()
      for (const [peer, number] of asked.splice(0)) {
        const { aheadMs, delayMs } = peers[PEERS.indexOf(peer)]!
        const startMs = nowMs
        nowMs += delayMs
        service.receive(peer, { number, clockMs: 1_700_000_000_000 + startMs + delayMs / 2 + aheadMs })
        nowMs = startMs
      }
    },
  }
}

describe('the time service', () => {
  it('uses the median offset of its peers, so that a single wrong peer has no effect', () => {
    const { service, round } = serviceOf([
      { aheadMs: 10, delayMs: 4 },
      { aheadMs: 12, delayMs: 8 },
      { aheadMs: 90_000, delayMs: 2 },
    ])
    round()
    round()
    const view = service.status()
    expect(view).toMatchObject({ offsetMs: 12, confidenceMs: 2, samplesUsed: 3, peers: 3, rtt: { count: 6 } })
    expect(view.health).toEqual({ healthy: true, minSamplesOk: true, offsetOk: true, confidenceOk: true })
    expect(view.samples.map(({ count }) => count)).toEqual([2, 2, 2])
    expect(view.rtt.buckets.reduce((sum, { count }) => sum + count, 0)).toBe(6)
  })

  it('reports a wrong local clock, and an unknown offset', () => {
    const off = serviceOf([-5_000, -5_001, -4_999].map((aheadMs) => ({ aheadMs, delayMs: 2 })))
    off.round()
    expect(off.service.status()).toMatchObject({ offsetMs: -5_000, health: { offsetOk: false, minSamplesOk: true } })
    const alone = serviceOf([])
    alone.round()
    expect(alone.service.status()).toMatchObject({
      offsetMs: 0,
      samplesUsed: 0,
      fallback: true,
      health: { minSamplesOk: true },
    })
  })

  it('drops unsolicited, slow and outdated responses', () => {
    const { service, asked, round, pass } = serviceOf([{ aheadMs: 7, delayMs: 600 }])
    service.receive(PEERS[0]!, { number: 0, clockMs: 5 })
    round()
    expect(service.status()).toMatchObject({ samplesUsed: 0, rtt: { count: 1 }, health: { minSamplesOk: false } })
    const quick = serviceOf([{ aheadMs: 7, delayMs: 6 }])
    quick.round()
    expect(quick.service.status()).toMatchObject({ samplesUsed: 1, offsetMs: 7 })
    quick.pass(30_010)
    expect(quick.service.status().samplesUsed).toBe(0)
    pass(1)
    service.beat()
    expect(asked).toEqual([])
  })
})
