/** Owns the claims of a block: proofs that other threads verify together before it runs. */
import { packClaim } from '../../crypto/circuits/packed.js'
import { knownVerdict, learnVerdict } from '../../crypto/circuits/verdicts.js'
import { type ExecutableEntry, earlyProofs } from '../../executor/index.js'
import type { ExecutionContext } from './candidate.js'
import type { LedgerRequest } from './protocol.js'

/** What a request says of the proofs of its block. */
export type ProofQuestion = LedgerRequest<'execute'>['proofs']

/**
 * Packed claims whose verdicts are asked for and not known yet, of a block whose proof work is within its limit. Nothing that
 * runs depends on them: without a verdict a proof is verified where it runs. Those that transactions before them may change
 * are left for that: a block could have each verified twice.
 */
export function unknownClaims(
  { abi, chain, world }: ExecutionContext,
  height: number,
  entries: readonly ExecutableEntry[],
  proofs: ProofQuestion,
): Buffer[] {
  if (proofs?.kind === 'known') for (const one of proofs.value ?? []) learnVerdict(one)
  if (proofs?.kind !== 'ask') return []
  const env = { chain, height }
  return entries.flatMap(({ signed }) =>
    earlyProofs(abi, world.reader, env, signed.payload.value).proofs.flatMap(({ claim, dependsOn }) =>
      dependsOn !== 'before' && knownVerdict(claim.key) === undefined ? [packClaim(claim)] : [],
    ),
  )
}
