/** Owns the process metrics of a node for the doctor. */

/** Process metrics of a node; a metric is undefined if the system does not provide it. */
export interface ProcessFigures {
  readonly residentBytes: number | undefined
  readonly openFiles: number | undefined
  readonly openFilesMax: number | undefined
  /** 99th percentile of the delay of its event loop since the last reading, in seconds. */
  readonly delaySeconds: number | undefined
}

/** Value of a metric without labels in the text of `GET /metrics`. */
export function figureOf(metrics: string, name: string): number | undefined {
  const value = new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1]
  return value === undefined || !Number.isFinite(Number(value)) ? undefined : Number(value)
}

/** Process metrics in the text of `GET /metrics`. */
export const processFigures = (metrics: string): ProcessFigures => ({
  residentBytes: figureOf(metrics, 'process_resident_memory_bytes'),
  openFiles: figureOf(metrics, 'process_open_fds'),
  openFilesMax: figureOf(metrics, 'process_max_fds'),
  delaySeconds: figureOf(metrics, 'nodejs_eventloop_lag_p99_seconds'),
})
