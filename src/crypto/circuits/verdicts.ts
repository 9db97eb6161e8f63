/** Owns the cached results of proofs on this thread: a proof is verified once, before its block or in it. */
import { binaryKey } from '../../base/bytes.js'
import { GenerationCache } from '../generation-cache.js'

/** Result of a proof. `length`: the length does not match its relation; `refused`: it is invalid. */
export type Verdict = 'proven' | 'length' | 'refused'

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
export interface KnownVerdict {
  readonly key: Uint8Array
  readonly verdict: Verdict
}

/** Maximum cached results, 100 bytes each: more than the proofs of all blocks that may wait. */
const MAX_VERDICTS = 8_192
const verdicts = new GenerationCache<Verdict>(MAX_VERDICTS)

/** Cached result of a claim, if known. */
export const knownVerdict = (key: Uint8Array): Verdict | undefined => verdicts.get(binaryKey(key))

/** Cache a result from another thread. */
export const learnVerdict = ({ key, verdict }: KnownVerdict): void => verdicts.set(binaryKey(key), verdict)

/** Result of a claim, from the cache if known; caching affects only the time. */
export function verdictOf<C>({ key, claim }: ProofClaim<C>, verify: (claim: C) => Verdict): Verdict {
  const known = knownVerdict(key)
  if (known !== undefined) return known
  const verdict = verify(claim)
  learnVerdict({ key, verdict })
  return verdict
}

/** Clear the cached results, as at the start of a node. */
export const forgetVerdicts = (): void => verdicts.clear()
