/** Owns the entry of the proof thread: batches of claims, one after the other. */
import { serveJobs } from '../job-thread.js'
import { unpackClaim } from './packed.js'
import { type CheckedProof, checkProofs } from './verify.js'

serveJobs((packed: readonly Uint8Array[]): CheckedProof[] => checkProofs(packed.map(unpackClaim)))
