/** Owns signature checks: their form, their evaluation with BLS, and the self-test of a key at start. */
import { type CryptoService, hash, type KeyPair } from '../crypto/index.js'
import { keyBytes, keyString, LedgerError, type ValidatorKey } from '../model/index.js'

/** One signature over one message by one or more signers. */
export interface SameMessageCheck {
  readonly kind: 'same'
  readonly keys: readonly ValidatorKey[]
  readonly message: Uint8Array
  readonly signature: Uint8Array
}

/** One aggregate over several messages, each by its group of signers. */
export interface MultiMessageCheck {
  readonly kind: 'multi'
  readonly groups: readonly { readonly keys: readonly ValidatorKey[]; readonly message: Uint8Array }[]
  readonly signature: Uint8Array
}

export type SignatureCheck = SameMessageCheck | MultiMessageCheck

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
  const results = await Promise.all(
    checks.map((check) => {
      if (check.kind === 'same') {
        const { publicKeys, message, signature } = aggregateOf(check)
        return service.blsVerifyAggregate(publicKeys, message, signature)
      }
      const groups = check.groups.map((group) => ({ publicKeys: group.keys.map(keyBytes), message: group.message }))
      return service.blsVerifyMulti(groups, check.signature)
    }),
  )
  return results.every((result) => result === true)
}

/** Evaluate many checks; checks over one message each are batched, at less than half the cost. */
export async function verifyMany(
  service: Pick<CryptoService, 'blsVerifyAggregate' | 'blsVerifyMulti' | 'blsVerifyAggregates'>,
  checks: readonly SignatureCheck[],
): Promise<boolean> {
  const aggregates = checks.flatMap((check) => (check.kind === 'same' ? [aggregateOf(check)] : []))
  const others = checks.filter(({ kind }) => kind !== 'same')
  const results = await Promise.all([service.blsVerifyAggregates(aggregates), verifyAll(service, others)])
  return results.every((result) => result === true)
}

/**
 * Register the key with the crypto service, then sign and verify once, so that a broken key fails before the first vote and
 * the libraries are loaded. Throws `key_file_invalid`.
 */
export async function addConsensusKey(service: CryptoService, pair: KeyPair): Promise<void> {
  const { bytes } = pair.publicKey
  service.addBlsKey(keyString(bytes), pair.secret)
  // No consensus message begins like a tagged hash, so this signature has no use elsewhere.
  const message = hash('consensus-key-check', bytes)
  const [signature] = await service.blsSign(keyString(bytes), [message])
  if (signature === undefined || !(await service.blsVerify(bytes, message, signature))) {
    throw new LedgerError('key_file_invalid', 'the secret of the validator key does not belong to its public key')
  }
}
