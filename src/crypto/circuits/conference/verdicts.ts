/** Owns the verdicts over conference proofs that this thread knows: a proof is looked at once, before its block or in it. */

import { binaryKey } from '../../bytes.js'
import { GenerationCache } from '../../generation-cache.js'
import { hash } from '../../hash.js'
import { statementBytes } from './statement.js'
import { type Claim, type Verdict, verifyClaim } from './verify.js'

/** Verdicts held, 100 bytes each: of more blocks full of proofs than wait anywhere. */
const MAX_VERDICTS = 8_192
const verdicts = new GenerationCache<Verdict>(MAX_VERDICTS)

/** What a claim is known by: the statement binds the list by its root and count, which the ledger computed of it. */
export const claimKey = ({ statement, proof }: Claim): string =>
  binaryKey(hash('conference-proof', statementBytes(statement), proof))

/** Whether the verdict is known already. */
export const isKnown = (claim: Claim): boolean => verdicts.get(claimKey(claim)) !== undefined

/** Keeps a verdict that a crypto thread came to. */
export const learnVerdict = (key: string, verdict: Verdict): void => verdicts.set(key, verdict)

/** The verdict of `verifyClaim`; from memory where it is known, which changes how long it takes and nothing else. */
export function verdictOf(claim: Claim): Verdict {
  const key = claimKey(claim)
  const known = verdicts.get(key)
  if (known !== undefined) return known
  const verdict = verifyClaim(claim)
  verdicts.set(key, verdict)
  return verdict
}

/** Forgets all verdicts; a node that starts knows none. */
export const forgetVerdicts = (): void => verdicts.clear()
