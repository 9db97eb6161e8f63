/** Owns the records of the time routes: the node's clock beside those of its peers. */
import { bool, type Infer, list, option, type Schema, string, struct, varint, zigzag } from '../../codec/index.js'

/** Peers of one answer, at most. */
const SAMPLES_MAX = 1_024
const BUCKETS_MAX = 64

const health_ = struct('TimeHealth', { healthy: bool, minSamplesOk: bool, offsetOk: bool, confidenceOk: bool })

const now_ = struct('TimeNow', {
  /** Own clock moved by the offset, in ms since the Unix epoch. */
  now: varint,
  /** Median of how far the peers' clocks are ahead, and of their distance from it, in ms. */
  offsetMs: zigzag,
  confidenceMs: varint,
  sampleCount: varint,
  peerCount: varint,
  /** No peer was measured: `now` is the node's own clock. */
  fallback: bool,
  health: health_,
})
/** Answer of `GET /v1/time/now`. */
export type TimeNow = Infer<typeof now_>
export const timeNow: Schema<TimeNow> = now_

const sample_ = struct('TimeSample', {
  peer: string(128),
  lastOffsetMs: zigzag,
  lastRttMs: varint,
  count: varint,
})
const rtt_ = struct('TimeRoundTrips', {
  /** Round trips up to `le` ms, none of them counted twice; the last bucket has no bound. */
  buckets: list(struct('TimeBucket', { le: option(varint), count: varint }), BUCKETS_MAX),
  sumMs: varint,
  count: varint,
})
const status_ = struct('TimeStatus', {
  peers: varint,
  samplesUsed: varint,
  offsetMs: zigzag,
  confidenceMs: varint,
  fallback: bool,
  health: health_,
  samples: list(sample_, SAMPLES_MAX),
  rtt: rtt_,
})
/** Answer of `GET /v1/time/status`. */
export type TimeStatus = Infer<typeof status_>
export const timeStatus: Schema<TimeStatus> = status_
