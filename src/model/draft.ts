/** Owns helpers to build transactions: the account of a key pair, instructions from their JSON form. */
import type { CodecContext, Json } from '../codec/index.js'
import type { PublicKey } from '../crypto/keys.js'
import { type AccountId, accountOfKey } from './address.js'
import { LedgerError } from './errors.js'
import { accountKeyOf } from './keys.js'
import { anyInstruction, type Instruction } from './transaction.js'

/** The account of a key that signs. Throws `signature_algorithm_denied` for a BLS key. */
export function accountOfPair({ publicKey: { algorithm, bytes } }: { readonly publicKey: PublicKey }): AccountId {
  if (algorithm === 'bls') throw new LedgerError('signature_algorithm_denied', 'accounts do not sign with BLS keys')
  return accountOfKey(accountKeyOf(algorithm, bytes))
}

/** Instructions of their JSON twins. Throws the codec's code with the place of the fault. */
export function instructionsOf(twins: readonly Json[], codec: CodecContext): Instruction[] {
  return twins.map((twin, index) => {
    const decoded = anyInstruction.fromJson(twin, codec)
    if (decoded.ok) return decoded.value
    const { code, message, path } = decoded.fault
    const place = `instructions[${index}]${path === undefined || path === '' ? '' : `.${path}`}`
    throw new LedgerError(code, `${place}: ${message}`, { details: { path: place } })
  })
}
