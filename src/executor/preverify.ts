/** Owns the proofs of transactions that can be verified before execution: on other threads, in batches. */
import type { Instruction, TransactionPayload } from '../model/index.js'
import type { StateReader } from '../state/index.js'
import { orRejected } from './boundary.js'
import type { EarlyProof, ProofContext } from './contract.js'
import { type Abi, definitionOf } from './registry.js'

/** Proofs of a transaction. */
export interface EarlyProofs {
  /** Proofs that execution on the current state would verify. */
  readonly proofs: readonly EarlyProof[]
  /** Number of other proofs: another instruction or transaction has to run first, or they would be refused earlier. */
  readonly later: number
}

/** Result for most transactions. */
const NONE: EarlyProofs = { proofs: [], later: 0 }

/** Proofs of a transaction as if it ran on this state, in the block of this height. */
export function earlyProofs(
  abi: Abi,
  state: StateReader,
  env: ProofContext['env'],
  { authority, executable }: Pick<TransactionPayload, 'authority' | 'executable'>,
): EarlyProofs {
  const proving = executable.value.filter((one) => provesEarly(abi, one))
  if (proving.length === 0) return NONE
  const ctx: ProofContext = {
    env,
    authority,
    get: (table, key) => state.get(table, key),
    has: (table, key) => state.has(table, key),
  }
  const proofs: EarlyProof[] = []
  let later = 0
  for (const one of proving) {
    const { kind, preverify } = definitionOf(abi, one)
    // A throw is ignored: it occurs again at execution, which records it.
    const proof = orRejected(kind, () => preverify?.(ctx, one.value))
    if (proof === undefined || 'code' in proof) later += 1
    else proofs.push(proof)
  }
  return { proofs, later }
}

/** True if an instruction has a proof that may be verified before it runs. */
function provesEarly(abi: Abi, one: Instruction): boolean {
  const { preverify, proofWork } = definitionOf(abi, one)
  return preverify !== undefined && proofWork?.count(one.value) !== 0
}
