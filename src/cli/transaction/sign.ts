/** Owns the signing of transactions read from a file: by the only key of an account, or by members in turn. */
import { signMessage } from '../../client/index.js'
import type { Json } from '../../codec/index.js'
import type { SigningKey } from '../../crypto/signing-key.js'
import {
  accountKeyOf,
  accountOfKey,
  formatAddress,
  isMultisig,
  LedgerError,
  type MultisigPolicy,
  multisigPolicy,
  type SignedTransaction,
} from '../../model/index.js'
import { inputName } from '../input/input.js'
import { readJsonInput } from '../input/json.js'
import { usageError } from '../terminal/failure.js'
import { type ReadTransaction, signedRecord } from './file.js'

/** Weight rules of a file; the output of `multisig show --json` is accepted too. */
async function policyOf(path: string, { codec }: ReadTransaction): Promise<MultisigPolicy> {
  const json = await readJsonInput(path)
  const inner = typeof json === 'object' && json !== null ? (json as { readonly policy?: Json }).policy : undefined
  const decoded = multisigPolicy.fromJson(inner ?? json, codec)
  if (decoded.ok) return decoded.value
  throw new LedgerError(decoded.fault.code, `${inputName(path)}: ${decoded.fault.message}`)
}

/** Record with the signature of `pair` added. Throws `signature_unknown_signer` if the key may not sign it. */
export async function signRead(
  read: ReadTransaction,
  pair: SigningKey,
  policyFile: string | undefined,
): Promise<SignedTransaction> {
  const { payload, codec, id } = read
  const { algorithm, bytes } = pair.publicKey
  if (algorithm === 'bls') throw new LedgerError('signature_algorithm_denied', 'BLS keys do not sign for accounts')
  const publicKey = accountKeyOf(algorithm, bytes)
  const own = accountOfKey(publicKey)
  const multisig = isMultisig(payload.authority)
  if (!multisig && policyFile !== undefined)
    throw usageError('--policy: the authority has a single key, not a multisig policy')
  const policy = policyFile === undefined ? read.signed?.policy : await policyOf(policyFile, read)
  if (multisig && policy === undefined) {
    throw new LedgerError('signature_missing', 'the authority is a multisig account: give its policy with --policy', {
      hint: 'causeway multisig show ACCOUNT --json > policy.json',
    })
  }
  const may = multisig ? policy?.members.some((member) => member.account === own) : own === payload.authority
  if (may !== true) {
    const authority = formatAddress(payload.authority, codec.addressPrefix)
    throw new LedgerError(
      'signature_unknown_signer',
      `the key of ${formatAddress(own, codec.addressPrefix)} does not sign for ${authority}`,
    )
  }
  const others = (read.signed?.signatures ?? []).filter((one) => one.publicKey !== publicKey)
  const signatures = [...others, { publicKey, signature: await signMessage(pair, id) }]
  return signedRecord(read, { signatures, policy })
}
