/**
 * Owns the list of circuits, and the verification of claims of any of them; claims of one circuit are verified as a
 * batch.
 */
import { verifyClaims } from './conference/index.js'
import { CONFERENCE } from './names.js'
import type { KeyedOutcome, ProofClaim, ProofOutcome } from './proof-outcomes.js'

/** Results of a circuit, in order. */
type VerifyAll = (claims: readonly unknown[]) => readonly ProofOutcome[]

const CIRCUITS: ReadonlyMap<string, VerifyAll> = new Map([[CONFERENCE, verifyClaims as VerifyAll]])

/** Result with its labels for metrics. */
export interface CheckedProof extends KeyedOutcome {
  readonly circuit: string
  readonly relation: string
  /** Its share of the verification time of its batch, in seconds. */
  readonly seconds: number
}

/** Verify claims; results by their keys, independent of batching. */
export function checkProofs(claims: readonly ProofClaim[]): CheckedProof[] {
  return [...CIRCUITS].flatMap(([circuit, verify]) => {
    const own = claims.filter((one) => one.circuit === circuit)
    const startedMs = performance.now()
    const outcomes = own.length === 0 ? [] : verify(own.map(({ claim }) => claim))
    const seconds = (performance.now() - startedMs) / 1000 / Math.max(1, own.length)
    return own.map(({ key, relation }, index) => ({
      key,
      circuit,
      relation,
      seconds,
      outcome: outcomes[index] ?? 'refused',
    }))
  })
}
