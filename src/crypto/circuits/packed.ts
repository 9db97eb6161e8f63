/** Owns claims as bytes, between the threads of one process: never stored, never sent to anybody. */
import { deserialize, serialize } from 'node:v8'
import type { ProofClaim } from './verdicts.js'

/** The bytes of a claim. */
export const packClaim = (claim: ProofClaim): Buffer => serialize(claim)

/** The claim of these bytes, which `packClaim` made. */
export const unpackClaim = (bytes: Uint8Array): ProofClaim => deserialize(bytes) as ProofClaim
