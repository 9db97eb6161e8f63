/** Owns the proof that a payment message settled: its transaction is in a final block, and is that of this very message. */
import type { CausewayClient } from '../../client/index.js'
import type { ClaimMessage } from '../../features/iso20022/schema/instructions.js'
import { type Instruction, LedgerError, signedTransaction } from '../../model/index.js'
import { textOf, type View } from '../gateway/gateway.js'

const unproven = (record: View, fault: string): LedgerError =>
  new LedgerError('proof_invalid', `the gateway does not prove that ${textOf(record.message_id)} settled: ${fault}`, {
    hint: 'Do not pay again: ask another node, or the creditor, for the status of the payment.',
    details: { message_id: textOf(record.message_id), transaction_hash: textOf(record.transaction_hash) },
  })

/** True for the claim of a message, by its id, its family and, where it is at hand, its body. */
function claims(one: Instruction, record: View, bodyHash: Uint8Array | undefined): boolean {
  if (one.kind !== 'claimMessage') return false
  const claim = one.value as ClaimMessage
  const isOfId = claim.messageId === record.message_id && claim.family === textOf(record.family)?.toLowerCase()
  return isOfId && (bodyHash === undefined || Buffer.compare(claim.bodyHash, bodyHash) === 0)
}

/**
 * The record with `proof`: `verified` for one that settled where the genesis is pinned, else `unverified`. Throws
 * `proof_invalid` for a settlement that a pinned chain does not bear out.
 */
export async function provenRecord(client: CausewayClient, record: View, body?: Uint8Array): Promise<View> {
  if (record.pacs002_code !== 'ACSC' || !client.isPinned) return { ...record, proof: 'unverified' }
  const hash = textOf(record.transaction_hash)
  if (hash === undefined) throw unproven(record, 'it names no transaction')
  const { state, transaction } = await client.prove(hash, await client.transactionStatus(hash))
  if (state !== 'approved' || transaction === undefined) throw unproven(record, `its transaction is ${state}`)
  const signed = signedTransaction.decode(transaction, await client.codec())
  if (!signed.ok) throw unproven(record, signed.fault.message)
  const { isoBodyHash } = await import('../../features/iso20022/message/index.js')
  const bodyHash = body === undefined ? undefined : isoBodyHash(body)
  const { value: instructions } = signed.value.payload.value.executable
  if (!instructions.some((one) => claims(one, record, bodyHash)))
    throw unproven(record, 'its transaction is that of another message')
  return { ...record, proof: 'verified' }
}
