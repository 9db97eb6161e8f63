/**
 * Owns the limit of zero-knowledge proof work in a block, over all features. The first feature with proofs adds the parameter to
 * an ABI; in an ABI without proofs there is no limit.
 */
import { u32 } from '../codec/index.js'
import type { ParameterDef } from '../model/index.js'

/**
 * Work of one unit without a cached result, in units of 10 ns: 0.2 ms, of which half counts, because proposers have
 * already verified the proofs.
 */
export const WORK_PER_PROOF_UNIT = 10_000

/** Lowest permitted limit of a block: a join with the longest list, with reserve. */
const LEAST = 400
/** Highest permitted limit: ten times the default, a second of one core. */
const MOST = 5_120

/** Maximum units of the proofs of one block, with or without cached results. */
export const PROOF_WORK_PER_BLOCK: ParameterDef<number> = {
  name: 'proof_work_per_block',
  schema: u32,
  fallback: 512,
  activationDelay: 1,
  check: (value) =>
    value < LEAST || value > MOST ? `proof_work_per_block must be between ${LEAST} and ${MOST}` : undefined,
}
