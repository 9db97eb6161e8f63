/** Owns the interface through which a node has proofs verified, and its two forms: on a thread, and on the calling one. */
import { compiledUrl } from '../compiled-url.js'
import { JobThread } from '../job-thread.js'
import { unpackClaim } from './packed.js'
import type { CheckedProof } from './verify.js'

export type { CheckedProof } from './verify.js'

/** Proofs in bulk, as promises. A rejection means that the service failed, never that a proof is bad. */
export interface ProofService {
  /** The verdicts over packed claims, each with its key. */
  check(packed: readonly Uint8Array[]): Promise<readonly CheckedProof[]>
  /** Ends the service; what is pending is rejected. */
  close(): Promise<void>
}

/**
 * A thread of its own, which starts with the first proof: one may take 50 ms, and no vote and no payment waits for it. One that
 * dies rejects what it held, and the next proofs start another.
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

/** The service on the calling thread, for tests and tools. */
export const inlineProofs: ProofService = {
  async check(packed) {
    const { checkProofs } = await import('./verify.js')
    return checkProofs(packed.map(unpackClaim))
  },
  async close() {},
}
