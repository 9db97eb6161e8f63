/**
 * Owns the batching of payments into transactions. One transaction at a time is signed, written durably and queued;
 * payments that arrive in the meantime share the next transaction. There is no timer (docs/design/iso20022.md 9).
 */
import type { NodeServices } from '../../../api/services.js'
import { FairQueue } from '../../../base/fair-queue.js'
import { type AccountId, type AccountSigner, domainOfDefinition, LedgerError } from '../../../model/index.js'
import { reasonForError } from '../message/index.js'
import { PARTS_MAX } from '../schema/instructions.js'
import { unitsOfShared } from '../schema/shared-units.js'
import type { BridgeRecord } from './record.js'
import { SENT_SHARE } from './sent-shares.js'
import type { RecordStore } from './store.js'
import {
  claimTransaction,
  messageBytes,
  messageKey,
  type Payable,
  partBytes,
  sharedTransaction,
} from './transaction.js'

/**
 * Maximum size of the payments of one transaction, in bytes. Admission decodes larger transactions more slowly, and a
 * block has room for several of this size.
 */
const BATCH_MAX_BYTES = 64 * 1024
/** Maximum number of payments that wait for a transaction, in total and of one submitter: some seconds of work. */
const WAITING_MAX = 8_192
const WAITING_PER_SUBMITTER_MAX = WAITING_MAX / SENT_SHARE

/** First ABI in which payments share transactions and a message may have several payments. */
export const SHARED_SINCE = 2

/** ISO reason of a payment that did not fit in the queue; it is retried when its message is submitted again. */
const NO_ROOM = 'ED06'

/** A payment that waits for its transaction. */
interface Waiting extends Payable {
  /** Key of its message. */
  readonly key: string
  /** Size of the payment without its message, in bytes. */
  readonly bytes: number
  /** Release the reserved capacity, once the record is written or will not be written. */
  readonly release: () => void
  readonly settle: (outcome: BridgeRecord | Error) => void
}

/** Dependencies for signing, storing and queueing. */
interface Sender {
  readonly services: NodeServices
  readonly store: RecordStore
  readonly signer: AccountSigner
  readonly wallMs: () => number
}

const domainOf = ({ parties }: Payable): string => domainOfDefinition(parties.definition)

/** Payments of one bridge that are not in a transaction yet. */
export class Batches {
  /** Round-robin over submitters. */
  private readonly waiting = new FairQueue<AccountId, Waiting>({
    total: WAITING_MAX,
    perParty: WAITING_PER_SUBMITTER_MAX,
  })
  /** Payment taken from the queue that did not fit into the previous transaction. */
  private carried: Waiting | undefined
  private sending: Promise<void> | undefined

  constructor(private readonly bridge: Sender) {}

  /**
   * Sign a payment and queue it, alone or with others; returns its record at that time. Returns the same errors as
   * `submitAll`.
   */
  async submit(payable: Payable): Promise<BridgeRecord | LedgerError> {
    const sent = await this.submitAll([payable])
    return sent instanceof LedgerError ? sent : (sent[0] as BridgeRecord)
  }

  /**
   * Sign payments of one message and queue them, in as few transactions as possible; returns their records at that
   * time. Returns an error and writes nothing if their submitter would exceed its share of the queue.
   */
  async submitAll(payables: readonly Payable[]): Promise<readonly BridgeRecord[] | LedgerError> {
    const { services, store } = this.bridge
    const [first] = payables
    if (first === undefined) return []
    const { submitter } = first.record
    // No await from here to the reservations: two concurrent calls must not both claim the last room.
    const full =
      store.sent.fault(submitter, services.accountCapacity(), payables.length) ??
      this.waitingFault(submitter, payables.length)
    if (full !== undefined) return full
    const outcomes = payables.map(
      (payable) =>
        new Promise<BridgeRecord | Error>((settle) => {
          const { record, parties } = payable
          const release = store.reserve({ ...record, ...parties })
          this.waiting.push(submitter, {
            ...payable,
            key: messageKey(payable),
            bytes: partBytes(payable),
            release,
            settle,
          })
        }),
    )
    this.sending ??= this.sendAll()
    const records: BridgeRecord[] = []
    for (const outcome of await Promise.all(outcomes)) {
      if (outcome instanceof Error) throw outcome
      records.push(outcome)
    }
    return records
  }

  /** Reason why these additional payments of a submitter cannot wait for signing; undefined if they can. */
  private waitingFault(submitter: AccountId, payments: number): LedgerError | undefined {
    const { size } = this.waiting
    const isFull =
      size + payments > WAITING_MAX || this.waiting.sizeOf(submitter) + payments > WAITING_PER_SUBMITTER_MAX
    return isFull ? new LedgerError('per_user_queue_limit', `${size} payments wait to be signed`) : undefined
  }

  private async sendAll(): Promise<void> {
    try {
      for (let batch = this.next(); batch.length > 0; batch = this.next()) await this.send(batch)
    } finally {
      this.sending = undefined
    }
  }

  /**
   * Remove and return the payments of the next transaction: all of one domain, so that they have the same route, and no
   * more than its units allow.
   */
  private next(): Waiting[] {
    const { services } = this.bridge
    const isShared = services.info.abi >= SHARED_SINCE
    const maxTeu = services.maxTeuPerTx()
    const batch: Waiting[] = []
    const messages = new Set<string>()
    let bytes = 0
    let aliases = 0
    for (;;) {
      const one = this.carried ?? this.waiting.take()
      this.carried = undefined
      if (one === undefined) return batch
      const parts = batch.length + 1
      const isNew = !messages.has(one.key)
      const size = bytes + one.bytes + (isNew ? messageBytes(one) : 0)
      const pins = aliases + one.parties.aliases.length
      const fits =
        isShared &&
        parts <= PARTS_MAX &&
        size <= BATCH_MAX_BYTES &&
        unitsOfShared({ messages: messages.size + (isNew ? 1 : 0), parts, aliases: pins, bytes: size }) <= maxTeu &&
        domainOf(one) === domainOf(batch[0] ?? one)
      if (batch.length > 0 && !fits) {
        this.carried = one
        return batch
      }
      batch.push(one)
      messages.add(one.key)
      bytes = size
      aliases = pins
    }
  }

  /** Sign a transaction and queue it. A refused transaction is bisected until the faulty payment is found. */
  private async send(batch: readonly Waiting[]): Promise<void> {
    try {
      const { records, refusal } = await this.queue(batch)
      if (refusal === undefined) {
        for (const [at, one] of batch.entries()) one.settle(records[at] as BridgeRecord)
      } else if (batch.length === 1 || reasonForError(refusal.code) === NO_ROOM) {
        await this.refuse(batch, records, refusal)
      } else {
        const half = batch.length >> 1
        await this.send(batch.slice(0, half))
        await this.send(batch.slice(half))
      }
    } catch (error) {
      const failure = error instanceof Error ? error : new Error(String(error))
      for (const { settle } of batch) settle(failure)
    }
  }

  /** Records of a batch whose transaction is durable, and the reason if it is not in the queue. */
  private async queue(
    batch: readonly Waiting[],
  ): Promise<{ records: BridgeRecord[]; refusal: LedgerError | undefined }> {
    const { services, store } = this.bridge
    // Durable before it is queued: after a crash the same bytes are sent again.
    const { id, bytes, records } = await this.write(batch).finally(() => {
      for (const { release } of batch) release()
    })
    const answer = await services.submit(bytes)
    const isQueued = answer.ok || answer.error.code === 'already_enqueued' || answer.error.code === 'already_committed'
    if (!isQueued && store.isShared(id)) await store.dropShared(id)
    return { records, refusal: isQueued ? undefined : answer.error }
  }

  /** Sign the transaction of a batch and write it with its records. */
  private async write(batch: readonly Waiting[]) {
    const { services, store, signer, wallMs } = this.bridge
    const [only] = batch
    const isShared = services.info.abi >= SHARED_SINCE
    const made = isShared || only === undefined ? undefined : claimTransaction(only, signer, services.info, wallMs())
    const { id, bytes, expiresAtMs } = made ?? sharedTransaction(batch, signer, services.info, wallMs())
    const records = batch.map(
      ({ record, parties }): BridgeRecord => ({
        ...record,
        ...parties,
        body: undefined,
        transaction: isShared ? undefined : bytes,
        transactionHash: id,
        expiresAtMs,
        state: 'sent',
      }),
    )
    await (isShared ? store.putShared(records, id, bytes) : store.put(records[0] as BridgeRecord))
    return { id, bytes, records }
  }

  /** Close payments that the queue refused. */
  private async refuse(
    batch: readonly Waiting[],
    records: readonly BridgeRecord[],
    { code, message }: LedgerError,
  ): Promise<void> {
    const rejected = records.map(
      (record): BridgeRecord => ({ ...record, state: 'rejected', reasonCode: reasonForError(code), detail: message }),
    )
    await Promise.all(rejected.map((record) => this.bridge.store.put(record)))
    for (const [at, one] of batch.entries()) one.settle(rejected[at] as BridgeRecord)
  }
}
