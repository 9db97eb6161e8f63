/** Owns transactions in files and pipes: an unsigned payload or a signed record, in JSON form or codec bytes. */
import { type CodecContext, type Decoded, type Json, lazyOf } from '../../codec/index.js'
import { isJsonObject } from '../../codec/schema.js'
import { clientCodec } from '../../features/composed.js'
import {
  DEFAULT_ADDRESS_PREFIX,
  LedgerError,
  type SignedTransaction,
  signedTransaction,
  type TransactionPayload,
  transactionId,
  transactionPayload,
} from '../../model/index.js'
import { inputName, readInput } from '../input/input.js'
import { parseJsonText } from '../input/json.js'
import type { Output } from '../terminal/output.js'

/** First bytes of a codec frame. */
export const FRAME_MAGIC = Buffer.from('CWY1', 'latin1')
const OPENING_BRACE = 0x7b

/** Parsed transaction. */
export interface ReadTransaction {
  readonly payload: TransactionPayload
  /** Transaction id. */
  readonly id: Buffer
  /** Absent if not signed. */
  readonly signed: SignedTransaction | undefined
  readonly codec: CodecContext
}

function decodedOf<T>(decoded: Decoded<T>, name: string): T {
  if (decoded.ok) return decoded.value
  const { code, message, path } = decoded.fault
  throw new LedgerError(code, `${name}: ${path === undefined || path === '' ? '' : `${path}: `}${message}`, {
    details: { path: path ?? '' },
  })
}

/** Human-readable part of the addresses of a chain, from one of its addresses. */
const prefixOf = (address: Json | undefined): string =>
  typeof address === 'string' && address.includes('1')
    ? address.slice(0, address.lastIndexOf('1'))
    : DEFAULT_ADDRESS_PREFIX

const ofPayload = (payload: TransactionPayload, codec: CodecContext): ReadTransaction => ({
  payload,
  id: transactionId(transactionPayload.encode(payload, codec)),
  signed: undefined,
  codec,
})

const ofSigned = (signed: SignedTransaction, codec: CodecContext): ReadTransaction => ({
  payload: signed.payload.value,
  id: transactionId(signed.payload.bytes),
  signed,
  codec,
})

function ofJson(jsonForm: Json, name: string): ReadTransaction {
  const { payload, authority } = isJsonObject(jsonForm) ? jsonForm : {}
  if (isJsonObject(payload)) {
    const codec = clientCodec(prefixOf(payload.authority))
    return ofSigned(decodedOf(signedTransaction.fromJson(jsonForm, codec), name), codec)
  }
  const codec = clientCodec(prefixOf(authority))
  return ofPayload(decodedOf(transactionPayload.fromJson(jsonForm, codec), name), codec)
}

/**
 * Transaction in bytes of any form: JSON form, codec frame, bare canonical bytes. `prefix`: address prefix if the bytes
 * contain none. Throws the codec's code with the position of the fault.
 */
export async function transactionOf(bytes: Buffer, name: string, prefix?: string): Promise<ReadTransaction> {
  if (bytes.length === 0)
    throw new LedgerError('truncated', `${name} is empty`, { hint: 'Give a file that contains a transaction.' })
  const first = bytes.find((byte) => byte > 0x20)
  if (first === OPENING_BRACE) return ofJson(parseJsonText(bytes, name), name)
  const codec = clientCodec(prefix ?? DEFAULT_ADDRESS_PREFIX)
  if (bytes.subarray(0, FRAME_MAGIC.length).equals(FRAME_MAGIC)) {
    const { TRANSACTION_FRAME } = await import('../../api/index.js')
    return ofSigned(decodedOf(TRANSACTION_FRAME.open(bytes, codec), name), codec)
  }
  const signed = signedTransaction.decode(bytes, codec)
  return signed.ok
    ? ofSigned(signed.value, codec)
    : ofPayload(decodedOf(transactionPayload.decode(bytes, codec), name), codec)
}

/** Transaction of a file, or of standard input for `-`. */
export const readTransaction = async (path: string, prefix?: string): Promise<ReadTransaction> =>
  transactionOf(await readInput(path), inputName(path), prefix)

/** Signed transaction. */
export type ReadSigned = ReadTransaction & { readonly signed: SignedTransaction }

/** Signed record in bytes of any form; throws `signature_missing` for an unsigned payload. */
export async function signedOf(bytes: Buffer, name: string): Promise<ReadSigned> {
  const read = await transactionOf(bytes, name)
  if (read.signed === undefined) {
    throw new LedgerError('signature_missing', `${name}: the transaction is not signed`, {
      hint: 'Sign it with `causeway tx sign`.',
    })
  }
  return { ...read, signed: read.signed }
}

/** Signed record of a file, or of standard input for `-`. */
export const readSigned = async (path: string): Promise<ReadSigned> => signedOf(await readInput(path), inputName(path))

/** Record of a payload with the signatures so far. */
export const signedRecord = (
  { payload, codec }: Pick<ReadTransaction, 'payload' | 'codec'>,
  rest: Pick<SignedTransaction, 'signatures' | 'policy'>,
): SignedTransaction => ({ payload: lazyOf(transactionPayload, payload, codec), ...rest })

/** Codec frame of a signed transaction, the body of a submission. */
export async function frameOf(signed: SignedTransaction, codec: CodecContext): Promise<Buffer> {
  const { TRANSACTION_FRAME } = await import('../../api/index.js')
  return TRANSACTION_FRAME.seal(signed, codec)
}

/** Print a transaction for the next command of a pipe: its JSON form, or with `binary` its canonical bytes. */
export function printTransaction(
  out: Output,
  { payload, signed, codec }: Omit<ReadTransaction, 'id'>,
  binary: boolean,
): void {
  if (binary) {
    out.raw(signed === undefined ? transactionPayload.encode(payload, codec) : signedTransaction.encode(signed, codec))
    return
  }
  const jsonForm =
    signed === undefined ? transactionPayload.toJson(payload, codec) : signedTransaction.toJson(signed, codec)
  out.result(jsonForm, JSON.stringify(jsonForm, null, 2))
}
