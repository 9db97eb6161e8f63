/** Owns the reading of thrown values, which may have any type. */

/** Error code of a thrown value, such as the code of a failed system call; undefined if it has none. */
export const errorCode = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined

/** Message of an error, or the text of another thrown value. */
export const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error))
