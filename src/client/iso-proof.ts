/** Owns the proof that a payment message settled: its transaction is in a final block, and is that of this very message. */
import type { Json } from '../codec/index.js'
import { type ClaimMessage, isoBodyHash } from '../features/iso20022/schema/instructions.js'
import { type Instruction, LedgerError, signedTransaction } from '../model/index.js'
import type { Transactions } from './transactions.js'

/** The record of a payment message as a gateway answers it in JSON (`GET /v1/iso20022/status/{msg_id}`). */
export type IsoRecord = Readonly<Record<string, Json | undefined>>

/** A field of a record that is a text; undefined when it is absent or null. */
export const isoText = (record: IsoRecord, name: string): string | undefined => {
  const value = record[name]
  return typeof value === 'string' ? value : undefined
}

const unproven = (record: IsoRecord, fault: string): LedgerError => {
  const id = isoText(record, 'message_id')
  return new LedgerError('proof_invalid', `the gateway does not prove that ${id} settled: ${fault}`, {
    hint: 'Do not pay again: ask another node, or the creditor, for the status of the payment.',
    details: { message_id: id, transaction_hash: isoText(record, 'transaction_hash') },
  })
}

/** True for the claim of a message, by its id, its family and, where it is at hand, its body. */
function claims(one: Instruction, record: IsoRecord, bodyHash: Uint8Array | undefined): boolean {
  if (one.kind !== 'claimMessage') return false
  const claim = one.value as ClaimMessage
  const isOfId = claim.messageId === record.message_id && claim.family === isoText(record, 'family')?.toLowerCase()
  return isOfId && (bodyHash === undefined || Buffer.compare(claim.bodyHash, bodyHash) === 0)
}

/**
 * The record with `proof`: `verified` for one that settled where the genesis is pinned, else `unverified`. Throws
 * `proof_invalid` for a settlement that a pinned chain does not bear out.
 */
export async function provenRecord(
  transactions: Pick<Transactions, 'isPinned' | 'status' | 'prove' | 'codec'>,
  record: IsoRecord,
  body?: Uint8Array,
): Promise<IsoRecord> {
  if (record.pacs002_code !== 'ACSC' || !transactions.isPinned) return { ...record, proof: 'unverified' }
  const hash = isoText(record, 'transaction_hash')
  if (hash === undefined) throw unproven(record, 'it names no transaction')
  const { state, transaction } = await transactions.prove(hash, await transactions.status(hash))
  if (state !== 'approved' || transaction === undefined) throw unproven(record, `its transaction is ${state}`)
  const signed = signedTransaction.decode(transaction, await transactions.codec())
  if (!signed.ok) throw unproven(record, signed.fault.message)
  const bodyHash = body === undefined ? undefined : isoBodyHash(body)
  const { value: instructions } = signed.value.payload.value.executable
  if (!instructions.some((one) => claims(one, record, bodyHash)))
    throw unproven(record, 'its transaction is that of another message')
  return { ...record, proof: 'verified' }
}
