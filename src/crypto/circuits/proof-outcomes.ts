/** Owns the cached results of proofs on this thread: a proof is verified once, before its block or in it. */
import { binaryKey } from '../../base/bytes.js'
import { GenerationCache } from '../generation-cache.js'

/** Result of a proof. `length`: the length does not match its relation; `refused`: it is invalid. */
export type ProofOutcome = 'proven' | 'length' | 'refused'

/** Proof with all inputs of its result, for passing between threads. */
export interface ProofClaim<C = unknown> {
  /** Name in the list of circuits, which selects the verifier. */
  readonly circuit: string
  /** Kind of the statement, for metrics. */
  readonly relation: string
  /** Hash of statement and proof. */
  readonly key: Uint8Array
  readonly claim: C
}

/** Result by the key of its claim. */
export interface KeyedOutcome {
  readonly key: Uint8Array
  readonly outcome: ProofOutcome
}

/** Maximum cached results, 100 bytes each: more than the proofs of all blocks that may wait. */
const OUTCOMES_MAX = 8_192
const cache = new GenerationCache<ProofOutcome>(OUTCOMES_MAX)

/** Cached result of a claim, if known. */
export const cachedOutcome = (key: Uint8Array): ProofOutcome | undefined => cache.get(binaryKey(key))

/** Cache a result from another thread. */
export const cacheOutcome = ({ key, outcome }: KeyedOutcome): void => cache.set(binaryKey(key), outcome)

/** Result of a claim, from the cache if known; caching affects only the time. */
export function outcomeOf<C>({ key, claim }: ProofClaim<C>, verify: (claim: C) => ProofOutcome): ProofOutcome {
  const known = cachedOutcome(key)
  if (known !== undefined) return known
  const outcome = verify(claim)
  cacheOutcome({ key, outcome })
  return outcome
}

/** Clear the cached results, as at the start of a node. */
export const clearOutcomes = (): void => cache.clear()
