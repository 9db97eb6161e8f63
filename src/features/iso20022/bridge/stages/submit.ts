/** Owns the last stage: the transaction of a validated message is signed, made durable and queued. */
import type { LedgerError } from '../../../../model/index.js'
import { reasonForError } from '../../message/index.js'
import type { BridgeContext } from '../context.js'
import type { BridgeRecord } from '../record.js'
import { type Parties, paymentTransaction } from '../transaction.js'

/** Signs the transaction of a record and queues it; gives the record as it stands then. The error: its submitter fills its share of the queue, and nothing is written. */
export async function submitPayment(
  { services, store, signer, wallMs }: BridgeContext,
  base: BridgeRecord,
  parties: Parties,
): Promise<BridgeRecord | LedgerError> {
  // Nothing is awaited from here to the write: two at once must not both find the last room.
  const full = store.sent.fault(base.submitter, services.accountCapacity())
  if (full !== undefined) return full
  const { id, bytes, expiresAtMs } = paymentTransaction(base, parties, signer, services.info, wallMs())
  const record: BridgeRecord = {
    ...base,
    ...parties,
    body: undefined,
    transaction: bytes,
    transactionHash: id,
    expiresAtMs,
    state: 'sent',
  }
  // Durable before it is queued: after a crash the same bytes are sent again.
  await store.put(record)
  const answer = await services.submit(bytes)
  if (answer.ok || answer.error.code === 'already_enqueued' || answer.error.code === 'already_committed') return record
  const { code, message } = answer.error
  const rejected: BridgeRecord = { ...record, state: 'rejected', reasonCode: reasonForError(code), detail: message }
  await store.put(rejected)
  return rejected
}
