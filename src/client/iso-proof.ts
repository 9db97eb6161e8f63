/**
 * Owns the proof that a payment message settled: its transaction or its claim is in a final block, and belongs to this
 * message.
 */
import { sameBytes } from '../base/bytes.js'
import { formatNumeric, isJsonObject, type Json, type JsonObject, parseNumeric } from '../codec/index.js'
import { claimedPayment, partsOf } from '../features/iso20022/schema/claimed.js'
import { ISO_TABLES } from '../features/iso20022/schema/ids.js'
import { type ClaimMessage, claimKey, isoBodyHash } from '../features/iso20022/schema/instructions.js'
import { type Claim, claim, messageHead } from '../features/iso20022/schema/messages.js'
import {
  type AccountId,
  formatAddress,
  formatAsset,
  LedgerError,
  parseAddress,
  signedTransaction,
} from '../model/index.js'
import type { Transactions } from './transactions.js'

/** Record of a payment message from a gateway in JSON (`GET /v1/iso20022/status/{msg_id}`). */
export type IsoRecord = Readonly<Record<string, Json | undefined>>

/** Text field of a record; undefined if it is absent or null. */
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

/** Locally known properties of a message; the properties in the record are untrusted. */
export interface AskedMessage {
  readonly messageId: string
  /** Account that submitted the message. */
  readonly submitter?: AccountId | undefined
  readonly body?: Uint8Array | undefined
}

/**
 * True for the claim of this message: any submitter can claim the id and the body of another message for a payment of
 * its own.
 */
function isClaimOf(
  { messageId, family, submitter, bodyHash }: Pick<ClaimMessage, 'messageId' | 'family' | 'submitter' | 'bodyHash'>,
  record: IsoRecord,
  asked: AskedMessage,
  addressPrefix: string | undefined,
): boolean {
  const recorded = isoText(record, 'submitter')
  return (
    messageId === asked.messageId &&
    family === isoText(record, 'family')?.toLowerCase() &&
    (asked.submitter === undefined || submitter === asked.submitter) &&
    (recorded === undefined || recorded === formatAddress(submitter, addressPrefix)) &&
    (asked.body === undefined || sameBytes(bodyHash, isoBodyHash(asked.body)))
  )
}

/** Proven contents of a payment on the ledger. */
type Paid = Pick<Claim, 'details' | 'source' | 'target' | 'definition' | 'amount'>

/** First field of a record that contradicts the payment on the ledger; undefined if none does. */
function otherField(
  record: IsoRecord,
  { details, source, target, definition, amount }: Paid,
  addressPrefix: string | undefined,
): string | undefined {
  const recorded = parseNumeric(isoText(record, 'amount') ?? '')
  const expected: Readonly<Record<string, string | undefined>> = {
    source_account_id: formatAddress(source, addressPrefix),
    target_account_id: formatAddress(target, addressPrefix),
    asset_definition_id: definition,
    asset_id: formatAsset({ definition, account: source }, addressPrefix),
    currency: details.currency,
    settlement_date: details.settlementDate,
    instruction_id: details.instructionId,
    end_to_end_id: details.endToEndId,
    sender_transaction_id: details.senderTransactionId,
    uetr: details.uetr,
  }
  // The same amount may have several spellings.
  if (recorded === undefined || formatNumeric(recorded) !== formatNumeric(amount)) return 'amount'
  return Object.keys(expected).find((name) => isoText(record, name) !== expected[name])
}

/**
 * Record with `proof`: `verified` for a settled message if the genesis is pinned, else `unverified`. Throws
 * `proof_invalid` if the pinned chain does not prove the settlement.
 */
export async function provenRecord(
  transactions: Pick<Transactions, 'isPinned' | 'status' | 'prove' | 'codec' | 'provenRow'>,
  record: IsoRecord,
  asked: AskedMessage,
): Promise<IsoRecord> {
  if (!transactions.isPinned) return { ...record, proof: 'unverified' }
  if (typeof record.number_of_transactions === 'number') return provenByHead(transactions, record, asked)
  if (record.pacs002_code !== 'ACSC') return { ...record, proof: 'unverified' }
  const hash = isoText(record, 'transaction_hash')
  if (hash === undefined) throw unproven(record, 'it names no transaction')
  const { state, transaction } = await transactions.prove(hash, await transactions.status(hash))
  // Its block may be pruned, or be older than the snapshot of the node; the payment stays in the state.
  if (state === 'unknown') return provenByClaim(transactions, record, asked)
  if (state !== 'approved' || transaction === undefined) throw unproven(record, `its transaction is ${state}`)
  const codec = await transactions.codec()
  const signed = signedTransaction.decode(transaction, codec)
  if (!signed.ok) throw unproven(record, signed.fault.message)
  const { value: payload } = signed.value.payload
  // A transaction of several payments is applied whatever their outcomes: the row of the payment decides.
  if (partsOf(payload.executable.value).length > 0) return provenByClaim(transactions, record, asked)
  const found = claimedPayment(payload, { kind: 'approved', value: undefined })
  if (found === undefined || !isClaimOf(found.claim, record, asked, codec.addressPrefix))
    throw unproven(record, 'its transaction belongs to another message')
  const { asset, to: target, amount } = found.transfer
  const { definition, account: source } = asset
  return verified(record, { details: found.claim.details, source, target, definition, amount }, codec.addressPrefix)
}

/** Record of a proven payment, in which the proven fields are marked as verified. */
function verified(record: IsoRecord, paid: Paid, addressPrefix: string | undefined): IsoRecord {
  const other = otherField(record, paid, addressPrefix)
  if (other !== undefined) throw unproven(record, `its ${other} differs from the payment`)
  return { ...record, proof: 'verified' }
}

/**
 * Record of a message with several payments, verified by its head on the ledger, which has the hash of the body and the
 * numbers of payments made and rejected in blocks. A record without payments in blocks is unverified.
 */
async function provenByHead(
  { codec: codecOf, provenRow }: Pick<Transactions, 'codec' | 'provenRow'>,
  record: IsoRecord,
  asked: AskedMessage,
): Promise<IsoRecord> {
  const settled = countOf(record, 'ACSC')
  if (settled === 0) return { ...record, proof: 'unverified' }
  const codec = await codecOf()
  const { key, submitter, family } = identityOf(record, asked, codec.addressPrefix)
  const { value } = await provenRow({
    table: 'iso_heads',
    key: key.toString('hex'),
    tableId: ISO_TABLES.heads,
    keyBytes: key,
    what: `that payments of ${asked.messageId} settled`,
  })
  if (value === undefined) throw unproven(record, 'the ledger has no payment of it')
  const head = messageHead.decode(value, codec)
  if (!head.ok) throw unproven(record, head.fault.message)
  const { bodyHash, payments, settled: made } = head.value
  const isSame = isClaimOf(
    { messageId: asked.messageId, family, submitter, bodyHash },
    record,
    asked,
    codec.addressPrefix,
  )
  const shownHash = isoText(record, 'body_hash')
  if (!isSame || shownHash !== Buffer.from(bodyHash).toString('hex'))
    throw unproven(record, 'the paid message has other content')
  if (payments !== record.number_of_transactions) throw unproven(record, `it has ${payments} payments`)
  // The row may be from an earlier block than the record, never from a later one with fewer payments.
  if (made < settled) throw unproven(record, `${made} of its payments settled, not ${settled}`)
  return { ...record, proof: 'verified' }
}

/** Number of payments in a record with a code. */
function countOf({ status_counts: counts }: IsoRecord, code: string): number {
  const found = Array.isArray(counts)
    ? counts.find((one) => isJsonObject(one) && one['pacs002_code'] === code)
    : undefined
  const number = isJsonObject(found ?? null) ? (found as JsonObject)['number_of_transactions'] : 0
  return typeof number === 'number' ? number : 0
}

/** Ledger key of a message, with its components. */
function identityOf(record: IsoRecord, asked: AskedMessage, addressPrefix: string | undefined) {
  const named = isoText(record, 'submitter')
  const submitter = asked.submitter ?? (named === undefined ? undefined : parseAddress(named, addressPrefix))
  const family = (['pacs008', 'pacs009'] as const).find((one) => one === isoText(record, 'family')?.toLowerCase())
  if (submitter === undefined || family === undefined) throw unproven(record, 'its record names no submitter or family')
  return { submitter, family, key: claimKey(submitter, family, asked.messageId) }
}

/**
 * Record of a message, verified by the claims of its paid payments on the ledger, because its transaction also has
 * other payments, or this gateway does not have it.
 */
async function provenByClaim(
  { codec: codecOf, provenRow }: Pick<Transactions, 'codec' | 'provenRow'>,
  record: IsoRecord,
  asked: AskedMessage,
): Promise<IsoRecord> {
  const codec = await codecOf()
  const { key } = identityOf(record, asked, codec.addressPrefix)
  const { value } = await provenRow({
    table: 'iso_claims',
    key: key.toString('hex'),
    tableId: ISO_TABLES.claims,
    keyBytes: key,
    what: `that ${asked.messageId} settled`,
  })
  if (value === undefined) throw unproven(record, 'the ledger contains no payment for it')
  const paid = claim.decode(value, codec)
  if (!paid.ok) throw unproven(record, paid.fault.message)
  const hash = Buffer.from(paid.value.transactionHash).toString('hex')
  if (hash !== isoText(record, 'transaction_hash')) throw unproven(record, 'another transaction paid it')
  if (!isClaimOf(paid.value, record, asked, codec.addressPrefix)) throw unproven(record, 'another message was paid')
  return verified(record, paid.value, codec.addressPrefix)
}
