/** Owns helpers to build transactions: the account of a key pair, instructions from their JSON form. */
import { type CodecContext, type Json, pascalCase, type SnakeCase } from '../codec/index.js'
import type { PublicKey } from '../crypto/keys.js'
import { type AccountId, accountOfKey } from './address.js'
import type { InstructionDef, TypedInstruction } from './definition.js'
import { LedgerError } from './errors.js'
import { accountKeyOf } from './keys.js'
import { anyInstruction, type Instruction } from './transaction.js'

/** Account of a signing key. Throws `signature_algorithm_denied` for a BLS key. */
export function accountOfPair({ publicKey: { algorithm, bytes } }: { readonly publicKey: PublicKey }): AccountId {
  if (algorithm === 'bls') throw new LedgerError('signature_algorithm_denied', 'BLS keys do not sign for accounts')
  return accountOfKey(accountKeyOf(algorithm, bytes))
}

/**
 * Decode an instruction from its JSON form; `index` is its position in the list. Throws the codec's code with the
 * position of the fault.
 */
export function instructionOf(jsonForm: Json, index: number, codec: CodecContext): Instruction {
  const decoded = anyInstruction.fromJson(jsonForm, codec)
  if (decoded.ok) return decoded.value
  const { code, message, path } = decoded.fault
  const place = `instructions[${index}]${path === undefined || path === '' ? '' : `.${path}`}`
  throw new LedgerError(code, `${place}: ${message}`, { details: { path: place } })
}

/** Decode instructions from their JSON forms. Throws like `instructionOf`. */
export const instructionsOf = (jsonForms: readonly Json[], codec: CodecContext): Instruction[] =>
  jsonForms.map((jsonForm, index) => instructionOf(jsonForm, index, codec))

/** JSON form of a record: its fields under their JSON names. */
export type RecordJson<T> = { readonly [Field in keyof T & string as SnakeCase<Field>]: Json }

/**
 * Instruction of a definition with a record in its JSON form; `index`: position in the list. Throws like
 * `instructionOf`.
 */
export const readInstruction = <T>(
  def: InstructionDef<T>,
  jsonForm: RecordJson<T>,
  codec: CodecContext,
  index = 0,
): TypedInstruction<T> => instructionOf({ [pascalCase(def.kind)]: jsonForm }, index, codec) as TypedInstruction<T>
