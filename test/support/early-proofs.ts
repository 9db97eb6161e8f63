/** Owns verification of proofs before execution, on the calling thread, for tests of the parts of a node. */
import { inlineProofs } from '../../src/crypto/circuits/service.js'
import { EarlyProofs, type EarlyProofsModules } from '../../src/node/admission/early-proofs.js'

export const earlyProofs = (modules: Partial<EarlyProofsModules> = {}): EarlyProofs =>
  new EarlyProofs({
    proofs: inlineProofs,
    ledger: { cacheProofs: async () => ({}) },
    monotonicMs: () => 0,
    onChecked: () => undefined,
    onFailure: (error) => {
      throw error
    },
    ...modules,
  })
