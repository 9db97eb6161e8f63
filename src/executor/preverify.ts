/** Owns the proofs of transactions that can be verified before they run: on other threads, many together. */
import { knownVerdict } from '../crypto/circuits/verdicts.js'
import type { TransactionPayload } from '../model/index.js'
import type { StateReader } from '../state/index.js'
import { orRejected } from './boundary.js'
import type { EarlyProof, ProofContext } from './contract.js'
import { type Abi, definitionOf } from './registry.js'

/**
 * The proofs of a transaction as they would be verified if it ran on this state, in the block of this height. Those whose
 * statement another instruction of it makes are not among them: they are verified where they run.
 */
export function earlyProofs(
  abi: Abi,
  state: StateReader,
  env: ProofContext['env'],
  { authority, executable }: Pick<TransactionPayload, 'authority' | 'executable'>,
): EarlyProof[] {
  let ctx: ProofContext | undefined
  const proofs: EarlyProof[] = []
  for (const one of executable.value) {
    const { kind, preverify } = definitionOf(abi, one)
    if (preverify === undefined) continue
    ctx ??= { env, authority, get: (table, key) => state.get(table, key), has: (table, key) => state.has(table, key) }
    const here = ctx
    // What throws here throws where it runs, which is where that is recorded.
    const proof = orRejected(kind, () => preverify(here, one.value))
    if (proof !== undefined && !('code' in proof)) proofs.push(proof)
  }
  return proofs
}

/** Those whose verdict this thread does not know. */
export const unknownProofs = (proofs: readonly EarlyProof[]): EarlyProof[] =>
  proofs.filter(({ claim }) => knownVerdict(claim.key) === undefined)
