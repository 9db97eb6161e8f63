/** Owns the carrying out of signature checks by whatever verifies BLS signatures. */
import type { CryptoService } from '../crypto/index.js'
import { keyBytes } from '../model/index.js'
import type { SignatureCheck } from './check.js'

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
