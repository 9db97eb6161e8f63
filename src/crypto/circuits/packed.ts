/** Owns the encoding of claims between threads of one process: never stored or sent. */
import { deserialize, serialize } from 'node:v8'
import type { ProofClaim } from './proof-outcomes.js'

/** Encode a claim. */
export const packClaim = (claim: ProofClaim): Buffer => serialize(claim)

/** Decode a claim encoded by `packClaim`. */
export const unpackClaim = (bytes: Uint8Array): ProofClaim => deserialize(bytes) as ProofClaim
