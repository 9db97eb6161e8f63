/** Owns the records of metric series, and of the totals of objects. */

import { word } from '../../../api/enum-text.js'
import { type Infer, list, option, refine, struct, varint } from '../../../codec/index.js'

/** Maximum and default number of points in a response: the resolution of a plot. */
export const SERIES_POINTS_MAX = 500
export const SERIES_POINTS_DEFAULT = 120

/** Metrics: sums over the blocks of an interval. */
export const SERIES_METRICS = ['blocks', 'transactions', 'rejected', 'teu', 'bytes'] as const
export type SeriesMetric = (typeof SERIES_METRICS)[number]
const metric = word('SeriesMetric', SERIES_METRICS)

const points_ = refine(
  varint,
  'SeriesPoints',
  (value) => (value < 1 || value > SERIES_POINTS_MAX ? `between 1 and ${SERIES_POINTS_MAX}` : undefined),
  { minimum: 1, maximum: SERIES_POINTS_MAX, default: SERIES_POINTS_DEFAULT },
)

export interface SeriesParameters extends Infer<typeof seriesParameters> {}
export const seriesParameters = struct('SeriesParameters', {
  metric,
  fromMs: option(varint),
  toMs: option(varint),
  points: option(points_),
})

/** Times in ms since the Unix epoch, `toMs` exclusive. */
export interface SeriesQuery extends Infer<typeof seriesQuery> {}
export const seriesQuery = struct('SeriesQuery', { metric, fromMs: varint, toMs: varint, points: points_ })

/** Metric of blocks over time. */
export interface Series extends Infer<typeof series> {}
export const series = struct('Series', {
  metric,
  /** Time span of a point, in ms; the first and the last one may extend beyond the requested range. */
  stepMs: varint,
  /** Time of the first counted block; absent if no block was counted. There are no points before it. */
  sinceMs: option(varint),
  /** Ascending; a point without blocks is 0. */
  points: list(struct('SeriesPoint', { timeMs: varint, value: varint }), SERIES_POINTS_MAX),
  height: varint,
})

export const totalsInput = struct('TotalsQuery', {})

/** Numbers of objects after the block of a height. */
export interface Totals extends Infer<typeof totals> {}
export const totals = struct('Totals', {
  domains: varint,
  accounts: varint,
  assetDefinitions: varint,
  nfts: varint,
  height: varint,
})
