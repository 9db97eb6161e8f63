/** Owns helpers to build transactions: the account of a key pair, instructions from their JSON form. */
import { type CodecContext, type Json, pascalCase, type SnakeCase } from '../codec/index.js'
import type { PublicKey } from '../crypto/keys.js'
import { type AccountId, accountOfKey } from './address.js'
import type { InstructionDef, TypedInstruction } from './definition.js'
import { LedgerError } from './errors.js'
import { accountKeyOf } from './keys.js'
import { anyInstruction, type Instruction } from './transaction.js'

/** The account of a key that signs. Throws `signature_algorithm_denied` for a BLS key. */
export function accountOfPair({ publicKey: { algorithm, bytes } }: { readonly publicKey: PublicKey }): AccountId {
  if (algorithm === 'bls') throw new LedgerError('signature_algorithm_denied', 'accounts do not sign with BLS keys')
  return accountOfKey(accountKeyOf(algorithm, bytes))
}

/** The instruction of a JSON twin, which has this index in its list. Throws the codec's code with the place of the fault. */
export function instructionOf(twin: Json, index: number, codec: CodecContext): Instruction {
  const decoded = anyInstruction.fromJson(twin, codec)
  if (decoded.ok) return decoded.value
  const { code, message, path } = decoded.fault
  const place = `instructions[${index}]${path === undefined || path === '' ? '' : `.${path}`}`
  throw new LedgerError(code, `${place}: ${message}`, { details: { path: place } })
}

/** Instructions of their JSON twins. Throws as `instructionOf` does. */
export const instructionsOf = (twins: readonly Json[], codec: CodecContext): Instruction[] =>
  twins.map((twin, index) => instructionOf(twin, index, codec))

/** JSON twin of a record: its fields under the names that they have in JSON. */
export type RecordTwin<T> = { readonly [Field in keyof T & string as SnakeCase<Field>]: Json }

/** The instruction of a definition whose record was written as its JSON twin; `index`: its place in the list. Throws as `instructionOf` does. */
export const readInstruction = <T>(
  def: InstructionDef<T>,
  twin: RecordTwin<T>,
  codec: CodecContext,
  index = 0,
): TypedInstruction<T> => instructionOf({ [pascalCase(def.kind)]: twin }, index, codec) as TypedInstruction<T>
