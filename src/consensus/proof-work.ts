/**
 * Owns the work of zero-knowledge proofs: what a block may hold of it, all features together. Whoever adds the first proofs to an
 * ABI lists the parameter; in one without proofs nothing counts.
 */
import { u32 } from '../codec/index.js'
import type { ParameterDef } from '../model/index.js'

/** What a unit takes where no verdict is known, in units of 10 ns: 0.2 ms, of which half counts, since proposers verified before. */
export const WORK_PER_PROOF_UNIT = 10_000

/** Least that a chain may allow a block: a join of the longest list, with room beside it. */
const LEAST = 400
/** Most: ten times the default, a second of one core. */
const MOST = 5_120

/** Units that the proofs of one block may take, verdicts cached or not. */
export const PROOF_WORK_PER_BLOCK: ParameterDef<number> = {
  name: 'proof_work_per_block',
  schema: u32,
  fallback: 512,
  activationDelay: 1,
  check: (value) =>
    value < LEAST || value > MOST ? `proof_work_per_block must be between ${LEAST} and ${MOST}` : undefined,
}
