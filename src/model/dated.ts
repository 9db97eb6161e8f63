/** Owns the ABI version of declarations (docs/decisions/0085). */

/** The first ABI, of release 0.1.0. */
export const FIRST_ABI = 1

/** Declaration of the ledger. ABI `n` has all declarations whose `since` is at most `n`. */
export interface Dated {
  /** ABI that introduced it; absent: the first ABI, or the first of its feature. */
  readonly since?: number | undefined
}

/** True if an ABI has a declaration. */
export const isOfAbi = ({ since = FIRST_ABI }: Dated, abi: number): boolean => since <= abi
