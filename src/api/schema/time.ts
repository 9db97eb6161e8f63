/** Owns the records of the time routes: the clock of the node compared with the clocks of its peers. */
import { bool, type Infer, list, option, string, struct, varint, zigzag } from '../../codec/index.js'

/** Maximum peers of one response. */
const SAMPLES_MAX = 1_024
const BUCKETS_MAX = 64

const health_ = struct('TimeHealth', { healthy: bool, minSamplesOk: bool, offsetOk: bool, confidenceOk: bool })

/** Response of `GET /v1/time/now`. */
export interface TimeNow extends Infer<typeof timeNow> {}
export const timeNow = struct('TimeNow', {
  /** Own clock corrected by the offset, in ms since the Unix epoch. */
  now: varint,
  /** Median offset of the peers' clocks, and median distance from it, in ms. */
  offsetMs: zigzag,
  confidenceMs: varint,
  sampleCount: varint,
  peerCount: varint,
  /** True if no peer was measured: `now` is the node's own clock. */
  fallback: bool,
  health: health_,
})

const sample_ = struct('TimeSample', {
  peer: string(128),
  lastOffsetMs: zigzag,
  lastRttMs: varint,
  count: varint,
})
const rtt_ = struct('TimeRoundTrips', {
  /** Number of round trips up to `le` ms and above the previous bucket; the last bucket is unbounded. */
  buckets: list(struct('TimeBucket', { le: option(varint), count: varint }), BUCKETS_MAX),
  sumMs: varint,
  count: varint,
})
/** Response of `GET /v1/time/status`. */
export interface TimeStatus extends Infer<typeof timeStatus> {}
export const timeStatus = struct('TimeStatus', {
  peers: varint,
  samplesUsed: varint,
  offsetMs: zigzag,
  confidenceMs: varint,
  fallback: bool,
  health: health_,
  samples: list(sample_, SAMPLES_MAX),
  rtt: rtt_,
})
