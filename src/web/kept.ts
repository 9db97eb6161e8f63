/** Owns what a page knows of an answer, and what stays of it where the next one is an error. */

/** What is known of an answer: the last one stays while the next one is on its way, or the node does not give it. */
export interface Read<T> {
  readonly value: T | undefined
  readonly error: unknown
}

/** `isPassing`: the node may answer again. Where it says that there is no such thing, what it said before is not shown as what is. */
export const afterError = <T>({ value }: Read<T>, error: unknown, isPassing: boolean): Read<T> => ({
  value: isPassing ? value : undefined,
  error,
})
