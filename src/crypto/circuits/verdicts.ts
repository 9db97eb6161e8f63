/** Owns the verdicts over proofs that this thread knows: a proof is looked at once, before its block or in it. */
import { binaryKey } from '../../base/bytes.js'
import { GenerationCache } from '../generation-cache.js'

/** `length`: not of the one length that its relation has; `refused`: it proves nothing. */
export type Verdict = 'proven' | 'length' | 'refused'

/** A proof with all that its verdict depends on, as threads pass it on. */
export interface ProofClaim<C = unknown> {
  /** Name in the list of circuits: who verifies it. */
  readonly circuit: string
  /** What is proven, for those who count. */
  readonly relation: string
  /** Hash of statement and proof. */
  readonly key: Uint8Array
  readonly claim: C
}

/** A verdict by the key of its claim. */
export interface KnownVerdict {
  readonly key: Uint8Array
  readonly verdict: Verdict
}

/** Verdicts held, 100 bytes each: of more blocks full of proofs than wait anywhere. */
const MAX_VERDICTS = 8_192
const verdicts = new GenerationCache<Verdict>(MAX_VERDICTS)

/** The verdict over a claim, where it is known already. */
export const knownVerdict = (key: Uint8Array): Verdict | undefined => verdicts.get(binaryKey(key))

/** Keeps a verdict that another thread came to. */
export const learnVerdict = ({ key, verdict }: KnownVerdict): void => verdicts.set(binaryKey(key), verdict)

/** The verdict over a claim; from memory where it is known, which changes how long it takes and nothing else. */
export function verdictOf<C>({ key, claim }: ProofClaim<C>, verify: (claim: C) => Verdict): Verdict {
  const known = knownVerdict(key)
  if (known !== undefined) return known
  const verdict = verify(claim)
  learnVerdict({ key, verdict })
  return verdict
}

/** Forgets all verdicts; a node that starts knows none. */
export const forgetVerdicts = (): void => verdicts.clear()
