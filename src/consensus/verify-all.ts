/** Owns the carrying out of signature checks by whatever verifies BLS signatures. */
import type { CryptoService } from '../crypto/index.js'
import { keyBytes } from '../model/index.js'
import type { SignatureCheck } from './check.js'

/** What is asked of the service where many checks are known at once. */
export type BatchVerifier = Pick<CryptoService, 'blsVerifyAggregate' | 'blsVerifyMulti' | 'blsVerifyAggregates'>

/** True when every check holds: those of one message each as a batch, which costs less than half. */
export async function verifyBatch(service: BatchVerifier, checks: readonly SignatureCheck[]): Promise<boolean> {
  const aggregates = checks.flatMap((check) =>
    check.kind === 'same'
      ? [{ publicKeys: check.keys.map(keyBytes), message: check.message, signature: check.signature }]
      : [],
  )
  const others = checks.filter(({ kind }) => kind !== 'same')
  const verdicts = await Promise.all([service.blsVerifyAggregates(aggregates), verifyAll(service, others)])
  return verdicts.every((verdict) => verdict === true)
}

/** True when every check holds. */
export async function verifyAll(
  service: Pick<CryptoService, 'blsVerifyAggregate' | 'blsVerifyMulti'>,
  checks: readonly SignatureCheck[],
): Promise<boolean> {
  const verdicts = await Promise.all(
    checks.map((check) =>
      check.kind === 'same'
        ? service.blsVerifyAggregate(check.keys.map(keyBytes), check.message, check.signature)
        : service.blsVerifyMulti(
            check.groups.map((group) => ({ publicKeys: group.keys.map(keyBytes), message: group.message })),
            check.signature,
          ),
    ),
  )
  return verdicts.every((verdict) => verdict === true)
}
