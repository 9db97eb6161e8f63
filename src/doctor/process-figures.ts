/** Owns what the doctor reads of the metrics of a node. */

/** What the metrics of a node say of its process; a figure that the system does not have is undefined. */
export interface ProcessFigures {
  readonly residentBytes: number | undefined
  readonly openFiles: number | undefined
  readonly openFilesMax: number | undefined
  /** Delay of its event loop that 1 % of the moments since the last reading exceed, in seconds. */
  readonly delaySeconds: number | undefined
}

/** The value of a metric without labels in the text of `GET /metrics`. */
export function figureOf(metrics: string, name: string): number | undefined {
  const value = new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1]
  return value === undefined || !Number.isFinite(Number(value)) ? undefined : Number(value)
}

/** The figures of the process in the text of `GET /metrics`. */
export const processFigures = (metrics: string): ProcessFigures => ({
  residentBytes: figureOf(metrics, 'process_resident_memory_bytes'),
  openFiles: figureOf(metrics, 'process_open_fds'),
  openFilesMax: figureOf(metrics, 'process_max_fds'),
  delaySeconds: figureOf(metrics, 'nodejs_eventloop_lag_p99_seconds'),
})
