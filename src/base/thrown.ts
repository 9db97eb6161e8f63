/** Owns what is read of a thrown value, which may be of any type. */

/** The code of a thrown value, as errors of system calls have one; undefined where it has none. */
export const errorCode = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined

/** The message of an error; the text of a thrown value that is none. */
export const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error))
