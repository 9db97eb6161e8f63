/** Owns the read indexes of subscriptions: by provider, by subscriber, and their invoices. */
import type { IndexRun, QueryContext } from '../../../executor/reads.js'
import { changedRows, featureIndexPrefix, numberValue, PRESENT } from '../../../ledger/indexes.js'
import { type AccountId, isEvent, keyBytes } from '../../../model/index.js'
import { events } from '../schema/events.js'
import { type Invoice, invoice as invoiceRecord, SUBSCRIPTION_INDEXES } from '../schema/records.js'
import { subscriptions } from './tables.js'

/** Bytes of the id of a subscription. */
const ID_BYTES = 32

/** Role of an account in a subscription, with its number in the index. */
export type Role = 'byProvider' | 'bySubscriber'

function rolePrefix(role: Role, account: AccountId): Buffer {
  const id = keyBytes(account)
  return Buffer.concat([featureIndexPrefix(SUBSCRIPTION_INDEXES[role]), Buffer.of(id.length), id])
}

const invoicesPrefix = (subscription: Uint8Array): Buffer =>
  Buffer.concat([featureIndexPrefix(SUBSCRIPTION_INDEXES.invoices), subscription])
const invoiceKey = (subscription: Uint8Array, number: number): Buffer =>
  Buffer.concat([invoicesPrefix(subscription), numberValue(number)])

export const subscriptionIndexes: IndexRun = ({ rows, events: recorded }) => {
  const put: (readonly [Uint8Array, Uint8Array])[] = []
  const store = (subscription: Uint8Array, one: Invoice): void =>
    void put.push([invoiceKey(subscription, one.number), invoiceRecord.encode(one)])
  for (const { key, value } of changedRows(subscriptions, rows)) {
    put.push([Buffer.concat([rolePrefix('byProvider', value.plan.provider), key]), PRESENT])
    put.push([Buffer.concat([rolePrefix('bySubscriber', value.subscriber), key]), PRESENT])
    // A snapshot has rows but no events, so that the index of this node lacks older invoices.
    if (value.last !== undefined) store(key, value.last)
  }
  for (const { event } of recorded)
    if (isEvent(event, events.subscriptionCharged)) store(event.value.subscription, event.value.invoice)
  return { put, del: [] }
}

/** First `limit` subscriptions of an account in a role after an id, in the order of ids. */
export async function subscriptionsOf(
  { indexRange }: Pick<QueryContext, 'indexRange'>,
  role: Role,
  account: AccountId,
  { after, limit }: { readonly after: Uint8Array | undefined; readonly limit: number },
): Promise<Uint8Array[]> {
  const prefix = rolePrefix(role, account)
  const beyond = Buffer.concat([prefix, Buffer.alloc(ID_BYTES + 1, 0xff)])
  const gte = after === undefined ? prefix : Buffer.concat([prefix, after, Buffer.of(0)])
  const ids: Uint8Array[] = []
  for await (const [key] of indexRange({ gte, lt: beyond, limit })) ids.push(key.subarray(prefix.length))
  return ids
}

/** Paid invoices of a subscription below a number, newest first. */
export async function invoicesOf(
  { indexRange }: Pick<QueryContext, 'indexRange'>,
  subscription: Uint8Array,
  below: number,
  limit: number,
): Promise<Invoice[]> {
  const range = { gte: invoicesPrefix(subscription), lt: invoiceKey(subscription, below), reverse: true, limit }
  const found: Invoice[] = []
  for await (const [, value] of indexRange(range)) {
    const decoded = invoiceRecord.decode(value)
    if (!decoded.ok) throw new Error(`an invoice does not decode: ${decoded.fault.message}`)
    found.push(decoded.value)
  }
  return found
}
