/** Owns the proofs of transactions that can be verified before they run: on other threads, many together. */
import type { TransactionPayload } from '../model/index.js'
import type { StateReader } from '../state/index.js'
import { orRejected } from './boundary.js'
import type { EarlyProof, ProofContext } from './contract.js'
import { type Abi, definitionOf } from './registry.js'

/** The proofs of a transaction. */
export interface EarlyProofs {
  /** As they would be verified if it ran now. */
  readonly proofs: readonly EarlyProof[]
  /** How many others there are: another instruction, or another transaction, has to come first, or they are refused for less. */
  readonly later: number
}

/** The proofs of a transaction if it ran on this state, in the block of this height. */
export function earlyProofs(
  abi: Abi,
  state: StateReader,
  env: ProofContext['env'],
  { authority, executable }: Pick<TransactionPayload, 'authority' | 'executable'>,
): EarlyProofs {
  let ctx: ProofContext | undefined
  const proofs: EarlyProof[] = []
  let later = 0
  for (const one of executable.value) {
    const { kind, preverify, proofWork } = definitionOf(abi, one)
    if (preverify === undefined || proofWork?.count(one.value) === 0) continue
    ctx ??= { env, authority, get: (table, key) => state.get(table, key), has: (table, key) => state.has(table, key) }
    const here = ctx
    // What throws here throws where it runs, which is where that is recorded.
    const proof = orRejected(kind, () => preverify(here, one.value))
    if (proof === undefined || 'code' in proof) later += 1
    else proofs.push(proof)
  }
  return { proofs, later }
}
