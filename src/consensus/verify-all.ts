/** Owns the carrying out of signature checks by whatever verifies BLS signatures. */
import type { CryptoService } from '../crypto/index.js'
import { keyBytes } from '../model/index.js'
import type { SameMessageCheck, SignatureCheck } from './check.js'

const aggregateOf = ({ keys, message, signature }: SameMessageCheck) => ({
  publicKeys: keys.map(keyBytes),
  message,
  signature,
})

/** True when every check holds. */
export async function verifyAll(
  service: Pick<CryptoService, 'blsVerifyAggregate' | 'blsVerifyMulti'>,
  checks: readonly SignatureCheck[],
): Promise<boolean> {
  const verdicts = await Promise.all(
    checks.map((check) => {
      if (check.kind === 'same') {
        const { publicKeys, message, signature } = aggregateOf(check)
        return service.blsVerifyAggregate(publicKeys, message, signature)
      }
      const groups = check.groups.map((group) => ({ publicKeys: group.keys.map(keyBytes), message: group.message }))
      return service.blsVerifyMulti(groups, check.signature)
    }),
  )
  return verdicts.every((verdict) => verdict === true)
}

/** The same for many checks: those of one message each in one go, which costs less than half. */
export async function verifyMany(
  service: Pick<CryptoService, 'blsVerifyAggregate' | 'blsVerifyMulti' | 'blsVerifyAggregates'>,
  checks: readonly SignatureCheck[],
): Promise<boolean> {
  const aggregates = checks.flatMap((check) => (check.kind === 'same' ? [aggregateOf(check)] : []))
  const others = checks.filter(({ kind }) => kind !== 'same')
  const verdicts = await Promise.all([service.blsVerifyAggregates(aggregates), verifyAll(service, others)])
  return verdicts.every((verdict) => verdict === true)
}
