/** Owns the clock comparison with peers (specification 4.1, time routes). */
import type { TimeNow, TimeStatus } from '../../api/index.js'
import { BoundedMap } from '../../base/bounded.js'
import type { ValidatorKey } from '../../model/index.js'
import type { TimeResponse } from './gossip.js'
import { keyText } from './names.js'

/** Interval between rounds, in ms, and the number of peers per round. */
const ASK_MS = 5_000
const PEERS_ASKED = 8
/** Maximum round trip of a usable sample, in ms. */
const RTT_MAX_MS = 500
/** Lifetime of a sample, in ms: six rounds. */
const FRESH_MS = 30_000
/** Share of the samples trimmed at each end before the median, and the minimum number of samples for trimming one. */
const TRIM = 0.1
const SAMPLES_MIN = 3
/** Maximum offset and maximum spread of a healthy clock, in ms. */
const OFFSET_MAX_MS = 1_000
const CONFIDENCE_MAX_MS = 500
/** Maximum number of peers: above the largest roster. */
const PEERS_MAX = 512
const RTT_BOUNDS_MS = [1, 2, 5, 10, 20, 50, 100, 200, 500]

interface Known {
  readonly offsetMs: number
  readonly rttMs: number
  readonly count: number
  readonly atMs: number
}

export interface TimeModules {
  /** Wall clock, ms since the Unix epoch. */
  readonly wallMs: () => number
  /** Monotonic clock, ms. */
  readonly monotonicMs: () => number
  readonly connected: () => readonly ValidatorKey[]
  readonly ask: (peer: ValidatorKey, number: number) => void
}

const median = (sorted: readonly number[]): number => {
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? 0
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2
}

export class TimeService {
  private readonly known = new BoundedMap<ValidatorKey, Known>(PEERS_MAX)
  /** Requests of the last round: number and time by peer. */
  private readonly open = new Map<ValidatorKey, { readonly number: number; readonly sentMs: number }>()
  private readonly buckets = new Array<number>(RTT_BOUNDS_MS.length + 1).fill(0)
  private rttSumMs = 0
  private rttCount = 0
  private askedMs = Number.NEGATIVE_INFINITY
  private rounds = 0

  constructor(private readonly modules: TimeModules) {}

  /** Send requests if a round is due; called by the heartbeat. */
  beat(): void {
    const { monotonicMs, connected, ask } = this.modules
    if (monotonicMs() - this.askedMs < ASK_MS) return
    this.askedMs = monotonicMs()
    const peers = connected()
    const asked = Math.min(PEERS_ASKED, peers.length)
    this.open.clear()
    for (let at = 0; at < asked; at++) {
      // Another part of a large network in each round.
      const peer = peers[(this.rounds * asked + at) % peers.length]!
      this.open.set(peer, { number: this.rounds, sentMs: monotonicMs() })
      ask(peer, this.rounds)
    }
    this.rounds += 1
  }

  /** Process a response; an unrequested or late one is dropped. */
  receive(from: ValidatorKey, { number, clockMs }: TimeResponse): void {
    const question = this.open.get(from)
    if (question === undefined || question.number !== number) return
    this.open.delete(from)
    const nowMs = this.modules.monotonicMs()
    const rttMs = Math.max(0, nowMs - question.sentMs)
    const place = RTT_BOUNDS_MS.findIndex((bound) => rttMs <= bound)
    const bucket = place < 0 ? RTT_BOUNDS_MS.length : place
    this.buckets[bucket] = (this.buckets[bucket] ?? 0) + 1
    this.rttSumMs += rttMs
    this.rttCount += 1
    if (rttMs > RTT_MAX_MS) return
    const before = this.known.get(from)
    const offsetMs = clockMs + rttMs / 2 - this.modules.wallMs()
    this.known.renew(from, { offsetMs, rttMs, count: (before?.count ?? 0) + 1, atMs: nowMs })
  }

  /** Record of `GET /v1/time/now`. */
  now(): TimeNow {
    const { offsetMs, confidenceMs, samplesUsed, peers, fallback, health } = this.status()
    return {
      now: this.modules.wallMs() + (fallback ? 0 : offsetMs),
      offsetMs,
      confidenceMs,
      sampleCount: samplesUsed,
      peerCount: peers,
      fallback,
      health,
    }
  }

  /** Record of `GET /v1/time/status`. */
  status(): TimeStatus {
    const nowMs = this.modules.monotonicMs()
    const fresh = [...this.known].filter(([, { atMs }]) => nowMs - atMs <= FRESH_MS)
    const sorted = fresh.map(([, { offsetMs }]) => offsetMs).sort((a, b) => a - b)
    const cut = Math.floor(sorted.length * TRIM)
    const used = sorted.slice(cut, sorted.length - cut)
    const offsetMs = median(used)
    const confidenceMs = median(used.map((one) => Math.abs(one - offsetMs)).sort((a, b) => a - b))
    const peers = this.modules.connected().length
    // A smaller network cannot provide more samples.
    const minSamplesOk = used.length >= Math.min(SAMPLES_MIN, peers)
    const offsetOk = Math.abs(offsetMs) <= OFFSET_MAX_MS
    const confidenceOk = confidenceMs <= CONFIDENCE_MAX_MS
    return {
      peers,
      samplesUsed: used.length,
      offsetMs: Math.round(offsetMs),
      confidenceMs: Math.round(confidenceMs),
      fallback: used.length === 0,
      health: { healthy: minSamplesOk && offsetOk && confidenceOk, minSamplesOk, offsetOk, confidenceOk },
      samples: fresh.map(([peer, one]) => ({
        peer: keyText(peer),
        lastOffsetMs: Math.round(one.offsetMs),
        lastRttMs: Math.round(one.rttMs),
        count: one.count,
      })),
      rtt: {
        buckets: this.buckets.map((count, at) => ({ le: RTT_BOUNDS_MS[at], count })),
        sumMs: Math.round(this.rttSumMs),
        count: this.rttCount,
      },
    }
  }
}
