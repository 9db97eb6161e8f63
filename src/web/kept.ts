/** Owns the cached response of a page, and its handling after an error. */

/** Cached response: the last one is kept while the next one is pending or failed. */
export interface Read<T> {
  readonly value: T | undefined
  readonly error: unknown
}

/**
 * State after an error that follows an earlier response. `isPassing`: the node may recover. If it reports that the
 * object does not exist, the earlier response is not shown as current.
 */
export const afterError = <T>({ value }: Read<T>, error: unknown, isPassing: boolean): Read<T> => ({
  value: isPassing ? value : undefined,
  error,
})
