/**
 * Owns the completion of records by a block: each open payment that the block decides is closed, all payments of one
 * message in one write.
 */
import { sameBytes } from '../../../../base/bytes.js'
import { claimKey } from '../../schema/instructions.js'
import { reconcileMessage } from '../bulk/known.js'
import { type BridgeRecord, isOpen } from '../record.js'
import type { MessageIdentity, RecordStore } from '../store.js'
import { reconcile, rejected, type Sources } from './reconcile.js'

/** A payment that a block decided. */
export interface Decided {
  readonly place: number
  /**
   * `claimed`: by a claim of ABI 1. `refused`: the transaction has no outcome for the payment, because it repeats an
   * earlier payment or the bridge may not claim it.
   */
  readonly kind: 'claimed' | 'settled' | 'rejected' | 'refused'
  /** Error code of a failed payment. */
  readonly code?: string
  readonly transactionHash: Uint8Array
}

/** A message, with its payments that a block decided. */
interface DecidedMessage {
  readonly identity: MessageIdentity
  readonly payments: Decided[]
}

const keyOf = ({ submitter, family, messageId }: MessageIdentity): string =>
  claimKey(submitter, family, messageId).toString('latin1')

/** Payments that a block decided, by message. */
export class DecidedMessages {
  private readonly found = new Map<string, DecidedMessage>()

  add(identity: MessageIdentity, payment: Decided): void {
    const key = keyOf(identity)
    const known = this.found.get(key)
    if (known === undefined) this.found.set(key, { identity, payments: [payment] })
    else known.payments.push(payment)
  }

  messages(): Iterable<DecidedMessage> {
    return this.found.values()
  }
}

/** Group records by message. */
export function byMessage(records: readonly BridgeRecord[]): Iterable<readonly BridgeRecord[]> {
  const groups = new Map<string, BridgeRecord[]>()
  for (const record of records) {
    const key = keyOf(record)
    const known = groups.get(key)
    if (known === undefined) groups.set(key, [record])
    else known.push(record)
  }
  return groups.values()
}

/**
 * Close the open records of payments decided by a block. If a different gateway sent the payment of a record, the
 * record is closed from the ledger. Calls for one message are serialised.
 *
 * @param timeMs header time of the block, in ms since the Unix epoch
 */
export async function closePayments(
  context: Sources & { readonly store: RecordStore },
  identity: MessageIdentity,
  payments: readonly Decided[],
  timeMs: number,
): Promise<void> {
  const { store } = context
  const ends: BridgeRecord[] = []
  const asked = new Set<'only' | 'place'>()
  const refused: (readonly [record: BridgeRecord, code: string])[] = []
  for (const [which, record, decided] of await openRecords(store, identity, payments)) {
    const { kind, code, transactionHash } = decided
    const { transactionHash: sent } = record
    const isOwn = record.state === 'sent' && sent !== undefined && sameBytes(sent, transactionHash)
    if (kind === 'refused' && !isOwn) continue
    const end = { ...record, updatedAtMs: timeMs }
    if (isOwn && kind === 'settled') ends.push({ ...end, state: 'settled' })
    else if (isOwn && kind === 'rejected') ends.push(rejected(end, code ?? 'not_permitted'))
    else asked.add(which)
    if (kind === 'refused') refused.push([end, code ?? 'not_permitted'])
  }
  if (ends.length > 0) await store.settle(ends)
  if (asked.has('only')) {
    const known = await reconcile(context, identity)
    const only = refused.find(([record]) => record.payments === 1)
    if (only !== undefined && (known?.record === undefined || isOpen(known.record)))
      await store.settle([rejected(...only)])
  }
  if (asked.has('place')) {
    const known = await reconcileMessage(context, identity)
    // Decided neither by this transaction nor by another one.
    const undecided = refused.filter(
      ([{ payments: count, place }]) => count > 1 && known?.payments[place - 1]?.outcome === undefined,
    )
    await store.settle(undecided.map(([record, code]) => rejected(record, code)))
  }
}

type OpenRecord = readonly [which: 'only' | 'place', record: BridgeRecord, decided: Decided]

/** Open records of decided payments, both of messages with one payment and of places among several. */
async function openRecords(
  store: RecordStore,
  identity: MessageIdentity,
  payments: readonly Decided[],
): Promise<readonly OpenRecord[]> {
  const open = payments.flatMap((decided) => store.openAt(identity, decided.place).map((which) => ({ which, decided })))
  const only = open.find(({ which }) => which === 'only')
  const byPlace = new Map(open.flatMap(({ which, decided }) => (which === 'place' ? [[decided.place, decided]] : [])))
  const one = only === undefined ? undefined : await store.get(identity)
  const places = await store.getPlaces(identity, [...byPlace.keys()])
  const found: OpenRecord[] = one === undefined || only === undefined ? [] : [['only', one, only.decided]]
  for (const record of places) {
    const decided = byPlace.get(record.place)
    if (decided !== undefined) found.push(['place', record, decided])
  }
  return found.filter(([, record]) => isOpen(record))
}
