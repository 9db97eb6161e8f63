/** Owns handlers of the time routes. */
import { handle, timeNowRoute, timeStatusRoute } from '../../api/index.js'
import type { NodeServices, TimeView } from '../../api/services.js'

const healthOf = ({ health }: TimeView) => ({
  healthy: health.minSamplesOk && health.offsetOk && health.confidenceOk,
  ...health,
})

export const timeHandlers = [
  handle(timeNowRoute, ({ services }: { services: NodeServices }) => {
    const view = services.time()
    const { clockMs, offsetMs, confidenceMs, samplesUsed, connectedPeers } = view
    const fallback = samplesUsed === 0
    return {
      value: {
        now: clockMs + (fallback ? 0 : offsetMs),
        offsetMs,
        confidenceMs,
        sampleCount: samplesUsed,
        peerCount: connectedPeers,
        fallback,
        health: healthOf(view),
      },
    }
  }),
  handle(timeStatusRoute, ({ services }: { services: NodeServices }) => {
    const view = services.time()
    const { offsetMs, confidenceMs, samplesUsed, connectedPeers, samples, rttBuckets, rttSumMs, rttCount } = view
    return {
      value: {
        peers: connectedPeers,
        samplesUsed,
        offsetMs,
        confidenceMs,
        fallback: samplesUsed === 0,
        health: healthOf(view),
        samples: samples.map(({ peer, offsetMs: lastOffsetMs, rttMs: lastRttMs, count }) => ({
          peer,
          lastOffsetMs,
          lastRttMs,
          count,
        })),
        rtt: { buckets: rttBuckets.map(({ leMs: le, count }) => ({ le, count })), sumMs: rttSumMs, count: rttCount },
      },
    }
  }),
]
