/**
 * Owns the interface to proof verification, and its implementations: on a separate thread, and on the calling thread.
 */
import { compiledUrl } from '../compiled-url.js'
import { JobThread } from '../job-thread.js'
import { unpackClaim } from './packed.js'
import type { CheckedProof } from './verify.js'

export type { CheckedProof } from './verify.js'

/**
 * Batch verification of proofs, as promises. A rejection means that the service failed, never that a proof is invalid.
 */
export interface ProofService {
  /** Verify packed claims; each result has the key of its claim. */
  check(packed: readonly Uint8Array[]): Promise<readonly CheckedProof[]>
  /** End the service; pending requests are rejected. */
  close(): Promise<void>
}

/**
 * Separate thread, started by the first proof: a proof may need 50 ms, and votes and payments must not wait for it. If
 * it dies, its proofs are rejected, and the next proofs start another one.
 */
export class ProofThread implements ProofService {
  private readonly thread = new JobThread<readonly Uint8Array[], CheckedProof[]>(
    compiledUrl('crypto/circuits/worker.js'),
    'proof',
  )

  check(packed: readonly Uint8Array[]): Promise<readonly CheckedProof[]> {
    return this.thread.run(packed)
  }

  close(): Promise<void> {
    return this.thread.close()
  }
}

/** Service on the calling thread, for tests and tools. */
export const inlineProofs: ProofService = {
  async check(packed) {
    const { checkProofs } = await import('./verify.js')
    return checkProofs(packed.map(unpackClaim))
  },
  async close() {},
}
