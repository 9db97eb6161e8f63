/** Owns the claims of a block: proofs that other threads verify together before it runs. */
import { packClaim } from '../../crypto/circuits/packed.js'
import { cachedOutcome, cacheOutcome } from '../../crypto/circuits/proof-outcomes.js'
import { type ExecutableEntry, earlyProofs } from '../../executor/index.js'
import type { ExecutionContext } from './candidate.js'
import type { LedgerRequest } from './protocol.js'

/** Proof option of a request for a block. */
export type ProofQuestion = LedgerRequest<'execute'>['proofs']

/**
 * Packed claims without a known result, of a block whose proof work is within its limit. Execution does not depend on
 * them: a proof without a result is verified during execution. Proofs whose statements earlier transactions may change
 * are left for execution, since a block could otherwise have each of them verified twice.
 */
export function unknownClaims(
  { abi, chain, world }: ExecutionContext,
  height: number,
  entries: readonly ExecutableEntry[],
  proofs: ProofQuestion,
): Buffer[] {
  if (proofs?.kind === 'known') for (const one of proofs.value ?? []) cacheOutcome(one)
  if (proofs?.kind !== 'ask') return []
  const env = { chain, height }
  return entries.flatMap(({ signed }) =>
    earlyProofs(abi, world.reader, env, signed.payload.value).proofs.flatMap(({ claim, dependsOn }) =>
      dependsOn !== 'before' && cachedOutcome(claim.key) === undefined ? [packClaim(claim)] : [],
    ),
  )
}
