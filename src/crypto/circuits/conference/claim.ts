/** Owns the claims of conference proofs as threads pass them on. */
import { hash } from '../../hash.js'
import { CONFERENCE } from '../names.js'
import type { ProofClaim } from '../verdicts.js'
import { statementBytes } from './statement.js'
import type { Claim } from './verify.js'

/** Claim with its cache key: the statement binds the list by its root and count, which the ledger computed. */
export function conferenceClaim(claim: Claim): ProofClaim<Claim> {
  const { statement, proof } = claim
  const key = hash('conference-proof', statementBytes(statement), proof)
  return { circuit: CONFERENCE, relation: statement.relation, key, claim }
}
