/**
 * Owns admission of untrusted transactions, in order of cost: size, envelope, chain and time; signatures, concurrently
 * with the account; then the content; then the ledger check, queue, log, receipt.
 */

import type { Submitted } from '../../api/services.js'
import type { CodecContext } from '../../codec/index.js'
import type { CryptoService } from '../../crypto/index.js'
import { type Abi, signatureWeight, sizeFault, type TransactionLimits } from '../../executor/index.js'
import { type RoutingDecision, singleRoute } from '../../lanes/index.js'
import {
  expiresAtMs,
  keyString,
  LedgerError,
  openEnvelope,
  type Receipt,
  signedHash,
  transactionId,
  type ValidatorKey,
} from '../../model/index.js'
import type { QueuedTransaction, TransactionQueue } from '../../queue/index.js'
import { type ContentRules, type Refusal, readRecord } from '../content/content.js'
import { ContentReader } from '../content/reader.js'
import type { LedgerPort } from '../ledger/protocol.js'
import { Batcher } from './batcher.js'
import type { EarlyProofs, ProofSource } from './early-proofs.js'
import {
  type AdmittedRecord,
  envelopeOf,
  type Outcome,
  type Pending,
  questionOf,
  type Read,
  signersOf,
} from './records.js'
import { refusalOf, refused, routeRefusal, stopping } from './refusals.js'
import { validateBatch } from './validate-batch.js'
import type { VerifiedTransactions } from './verified.js'

/**
 * Maximum number of transactions per batch, and the time for which the first of a batch waits for others, in ms
 * (ARCHITECTURE.md, "Threads of one node").
 */
const BATCH_MAX = 256
const BATCH_WAIT_MS = 1
/**
 * Maximum size of a transaction that counts as one, in bytes. A longer one counts as several, since 256 of the longest
 * would exceed a message to the ledger thread. A transaction with many signatures also counts as several: a vote may
 * wait behind a whole batch, which takes 13 ms with Ed25519.
 */
const BATCH_BYTES_OF_ONE = 16 * 1024
/**
 * Batch wait under load, in ms. The requests to two threads and the message to every peer cost the same for one
 * transaction as for ten, and delay blocks.
 */
const BATCH_BUSY_WAIT_MS = 8
/** Batch wait while a whole batch is queued, in ms: new transactions wait for the blocks of the queued ones anyway. */
const BATCH_LOADED_WAIT_MS = 32
/**
 * Delay before this node includes a transaction with proofs in its own block: this multiple of the local verification
 * time, up to the maximum in ms. Peers receive the transaction only now, and a block with proofs that they have not
 * verified yet delays all payments in it.
 */
const PEERS_TAKE = 2
const PEERS_TAKE_MAX_MS = 1_000
/** Maximum number of gossip records that wait for admission; further ones are dropped until they are offered again. */
const WAITING_MAX = 16_384
/** Time slice for reading gossip records, in ms, before the event loop continues: a message may contain a thousand. */
const TAKE_SLICE_MS = 5

/**
 * Maximum size of records that are decoded before their signature is verified, in bytes. Decoding them takes at most
 * 0.2 ms, about the cost of the request, and saves most transactions one round trip to the threads.
 */
export const UNSIGNED_DECODE_MAX_BYTES = 1024

export interface AdmissionModules {
  readonly abi: Abi
  readonly codec: CodecContext
  readonly chain: string
  readonly addressPrefix: string
  readonly queue: TransactionQueue
  readonly ledger: LedgerPort
  readonly crypto: CryptoService
  readonly proofs: EarlyProofs
  readonly verified: VerifiedTransactions
  readonly limits: () => TransactionLimits
  /** True if the next block routes to lanes. */
  readonly lanesEnabled: () => boolean
  readonly height: () => number
  readonly wallMs: () => number
  /** Header time of the last block, in ms since the Unix epoch. */
  readonly chainTimeMs: () => number
  readonly monotonicMs: () => number
  /** Makes acknowledged transactions durable; absent when `queue.durable` is off. */
  readonly log: ((records: readonly Uint8Array[]) => Promise<void>) | undefined
  /** Signs a receipt by the node's network key. */
  readonly receipt: (transactionHash: Uint8Array, submittedAtMs: number, height: number) => Promise<Receipt>
  /** Version of the rules; changes with the lanes, limits or ABI of the next block. */
  readonly rulesVersion: () => number
  /** Called for a queued transaction that was validated under earlier rules. */
  readonly reconsider: (transaction: QueuedTransaction) => void
  /** Called for each queued transaction; `own` if a client of this node submitted it. */
  readonly onQueued: (transaction: QueuedTransaction, own: boolean) => void
}

/** Sender of records. */
export interface RecordSource {
  readonly peer: ValidatorKey
  /** Called if a record has an invalid signature. */
  onBadSignature(): void
}

/** Origin of a record. */
interface Origin {
  /** True if a client of this node submitted it. */
  readonly own: boolean
  readonly peer?: ValidatorKey | undefined
  /** True if it was acknowledged before a restart; limits on untrusted work do not apply to it. */
  readonly isAcknowledged?: boolean
  /** Time at which the record is validated, in ms since the Unix epoch; default: the current time. */
  readonly timeMs?: number
}
const CLIENT: Origin = { own: true }
const LOG: Origin = { own: false }
const ACKNOWLEDGED: Origin = { own: false, isAcknowledged: true }

/** Codes of refusals for lack of capacity. */
const NO_ROOM: ReadonlySet<string> = new Set(['queue_full', 'per_user_queue_limit'])
/** Codes of refusals that the sender could not foresee: the record is already queued here, or the queue is full. */
const OWN_REASONS: ReadonlySet<string> = new Set(['already_enqueued', ...NO_ROOM, 'node_stopping'])

export class Admission {
  /** Batcher of records with a decoded envelope only. Records of clients never wait for those of peers. */
  private readonly envelopes: Batcher<Pending, Refusal | undefined>
  /** Records that were read; a transaction without proofs is queued with its batch. */
  private readonly reads: Batcher<Read, Outcome | AdmittedRecord>
  private readonly contents: ContentReader
  /**
   * Records between arrival and queue, for deduplication, by the hash of the signed record: another record with the
   * same payload may have invalid signatures.
   */
  private readonly underWay = new Map<string, Promise<Outcome>>()

  constructor(private readonly modules: AdmissionModules) {
    const pace = {
      sizeMax: BATCH_MAX,
      sizeOf: ({ bytes, signed }: Pending) => Math.max(1, signatureWeight(signed), bytes.length / BATCH_BYTES_OF_ONE),
      waitMs: BATCH_WAIT_MS,
      busyWaitMs: () => (modules.queue.size >= BATCH_MAX ? BATCH_LOADED_WAIT_MS : BATCH_BUSY_WAIT_MS),
    }
    this.envelopes = new Batcher<Pending, Refusal | undefined>({ ...pace, run: (batch) => this.verifySigners(batch) })
    this.reads = new Batcher<Read, Outcome | AdmittedRecord>({ ...pace, run: (batch) => this.process(batch) })
    this.contents = new ContentReader(modules.addressPrefix)
  }

  /** Ends the thread that reads large records. */
  close(): Promise<void> {
    return this.contents.close()
  }

  /** Admit the transaction of a client; resolves once it is queued and logged. */
  async submit(bytes: Uint8Array): Promise<Submitted> {
    const outcome = await this.admit(bytes, CLIENT, this.rules())
    if (!outcome.ok) {
      const { code, message, details } = outcome
      return { ok: false, error: new LedgerError(code, message, { details }) }
    }
    const { transaction } = outcome
    const { log, wallMs, height, receipt } = this.modules
    const [signed] = await Promise.all([receipt(transaction.id, wallMs(), height()), log?.([transaction.bytes])])
    return { ok: true, receipt: signed, ...transaction.route }
  }

  /**
   * Admit records of a peer, and return how many were refused for their content. Refusals are reported to the peer only
   * for records that no correct peer forwards.
   */
  async take(records: readonly Uint8Array[], from: RecordSource): Promise<number> {
    if (this.envelopes.size + this.reads.size > WAITING_MAX) return 0
    let refused = 0
    await this.admitAll(records, { own: false, peer: from.peer }, (outcome) => {
      if (outcome.ok || OWN_REASONS.has(outcome.code)) return
      refused += 1
      if (outcome.code === 'signature_invalid') from.onBadSignature()
    })
    return refused
  }

  /**
   * Admit the records that this node acknowledged before a restart. Returns how many did not fit, which is 0 if the
   * queue held them before.
   */
  async restore(records: readonly Uint8Array[]): Promise<number> {
    const again: [Uint8Array, Origin][] = []
    await this.admitAll(records, LOG, (outcome, record) => {
      if (outcome.ok) return
      const untimely = this.untimelyOrigin(outcome.code, record)
      if (untimely !== undefined) again.push([record, untimely])
      else if (NO_ROOM.has(outcome.code)) again.push([record, ACKNOWLEDGED])
    })
    let left = 0
    // Sequentially: submitting all at once would exceed the limits of the threads.
    for (const [record, origin] of again) {
      const outcome = await this.admit(record, origin, this.rules(origin))
      if (!outcome.ok && NO_ROOM.has(outcome.code)) left += 1
    }
    return left
  }

  /**
   * Origin of a record that only the clock of this node refuses, validated at the last moment of its validity. Either
   * it has expired here but not on the chain, where a block may still hold it; the queue removes it in time. Or its
   * time is in the future because a clock was set back.
   */
  private untimelyOrigin(code: string, record: Uint8Array): Origin | undefined {
    if (code !== 'transaction_expired' && code !== 'transaction_in_future') return undefined
    const opened = openEnvelope(record)
    const expiryMs = opened.ok ? expiresAtMs(opened.value.payload.value) : 0
    return expiryMs > this.modules.chainTimeMs() ? { ...ACKNOWLEDGED, timeMs: expiryMs - 1 } : undefined
  }

  /** Admit many records in slices that leave time for the event loop, with a result for each. */
  private async admitAll(
    records: readonly Uint8Array[],
    origin: Origin,
    onOutcome: (outcome: Outcome, record: Uint8Array) => void,
  ): Promise<void> {
    const admitted: Promise<void>[] = []
    let startedMs = performance.now()
    let rules = this.rules()
    for (const record of records) {
      const outcomeOf = this.admit(record, origin, rules).then((outcome) => onOutcome(outcome, record))
      // The promise is awaited below; until then a rejection must not count as unhandled.
      outcomeOf.catch(() => undefined)
      admitted.push(outcomeOf)
      if (performance.now() - startedMs < TAKE_SLICE_MS) continue
      await new Promise((resolve) => setImmediate(resolve))
      startedMs = performance.now()
      rules = this.rules()
    }
    await Promise.all(admitted)
  }

  private async admit(bytes: Uint8Array, origin: Origin, rules: ContentRules): Promise<Outcome> {
    const tooLong = sizeFault(rules, bytes.length)
    if (tooLong !== undefined) return { ok: false, ...tooLong }
    // The caller's buffer may be a view into a larger one; the queue keeps records for long.
    const copy = Buffer.from(bytes)
    const read = copy.length <= UNSIGNED_DECODE_MAX_BYTES ? readRecord(rules, copy) : undefined
    const opened = read?.ok === true ? read : envelopeOf(rules, copy, read)
    if (!opened.ok) return opened
    const { signed } = opened
    const id = transactionId(signed.payload.bytes)
    const hash = signedHash(copy)
    const key = keyString(hash)
    const before = this.underWay.get(key)
    if (before !== undefined) {
      const outcome = await before
      return outcome.ok ? refused('already_enqueued') : outcome
    }
    const refused_ = this.modules.queue.refusalOf(id, signed.payload.value.authority, copy.length)
    if (refused_ !== undefined) return refused(refused_)
    // An untrusted record must not cost the ledger the statements of its proofs either.
    const outcome =
      read?.ok === true && read.content.cost.proofWork === 0
        ? this.admitRead(
            { id, signedHash: hash, bytes: copy, signed, content: read.content, isVerified: false },
            origin,
          )
        : this.admitVerified({ id, signedHash: hash, bytes: copy, signed }, origin)
    this.underWay.set(key, outcome)
    try {
      const result = await outcome
      if (result.ok) this.modules.onQueued(result.transaction, origin.own)
      return result
    } finally {
      this.underWay.delete(key)
    }
  }

  /** Rules for reading records of this origin now. */
  private rules({ timeMs = this.modules.wallMs() }: Pick<Origin, 'timeMs'> = {}): ContentRules {
    const { abi, codec, chain, limits, lanesEnabled } = this.modules
    return { abi, codec, chain, limits: limits(), timeMs, lanesEnabled: lanesEnabled() }
  }

  /** Admit a record that is too expensive to decode before its signature is verified. */
  private async admitVerified(pending: Pending, origin: Origin): Promise<Outcome> {
    try {
      const refusal_ = await this.envelopes.add(pending, origin.own)
      if (refusal_ !== undefined) return refusal_
      const { authority } = pending.signed.payload.value
      const read = await this.contents.read(this.rules(origin), authority, pending.bytes, origin.isAcknowledged)
      if (!read.ok) return read
      return await this.admitRead({ ...pending, content: read.content, isVerified: true }, origin)
    } catch {
      return stopping()
    }
  }

  private async admitRead(one: Read, { own, peer, isAcknowledged }: Origin): Promise<Outcome> {
    const { content, signed } = one
    const source = { authority: signed.payload.value.authority, peer, isAcknowledged }
    const refusal_ =
      (content.facts === undefined ? routeRefusal(singleRoute(content.dataspace)) : undefined) ??
      (content.cost.proofWork > 0 ? this.modules.proofs.barredFault(source) : undefined)
    if (refusal_ !== undefined) return refusal_
    const outcome = await this.reads.add(one, own)
    return 'proofs' in outcome ? this.prove(one, outcome, source) : outcome
  }

  /**
   * Verify the proofs of a transaction, then queue it: for blocks of other proposers at once, for own blocks once peers
   * had time to verify the proofs too.
   */
  private async prove(
    one: Read,
    { route, proofs, later, rulesVersion }: AdmittedRecord,
    source: ProofSource,
  ): Promise<Outcome> {
    const { monotonicMs } = this.modules
    const startedMs = monotonicMs()
    try {
      const unverified = await this.modules.proofs.admit(source, proofs)
      if (typeof unverified !== 'number') return unverified
      const drawnFromMs = monotonicMs() + Math.min(PEERS_TAKE * (monotonicMs() - startedMs), PEERS_TAKE_MAX_MS)
      return this.enqueue(one, route, rulesVersion, { unverifiedProofs: unverified + later, drawnFromMs })
    } catch {
      // As below: the ledger thread has ended.
      return stopping()
    }
  }

  /**
   * Check that each record is signed by its authority and that the authority belongs to this chain; one optional
   * refusal per record.
   */
  private async verifySigners(batch: readonly Pending[]): Promise<(Refusal | undefined)[]> {
    const { results, forged } = await validateBatch(this.modules, batch, batch.map(signersOf), batch)
    return batch.map((one, index) => refusalOf(results[index], !forged.has(one)))
  }

  /**
   * Verify signatures on the crypto threads and content on the ledger thread concurrently; then queue the admitted
   * records.
   */
  private async process(batch: readonly Read[]): Promise<(Outcome | AdmittedRecord)[]> {
    const unverified = batch.filter((one) => !one.isVerified)
    const rulesVersion = this.modules.rulesVersion()
    try {
      const { results, forged } = await validateBatch(this.modules, batch, batch.map(questionOf), unverified)
      return batch.map((one, index) => {
        const result = results[index]
        const refusal_ = refusalOf(result, !forged.has(one))
        if (refusal_ !== undefined) return refusal_
        const route = result?.route ?? singleRoute(one.content.dataspace)
        if (route.kind !== 'routed') return routeRefusal(route) as Outcome
        const { proofs = [], later = 0 } = result ?? {}
        return proofs.length + later === 0
          ? this.enqueue(one, route.value, rulesVersion)
          : { ok: true, route: route.value, proofs, later, rulesVersion }
      })
    } catch {
      // The crypto or the ledger thread has ended; the driver ends the process, and clients try another node.
      return batch.map(stopping)
    }
  }

  private enqueue(
    { id, signedHash: hash, bytes, signed, content }: Read,
    { lane, dataspace }: RoutingDecision,
    rulesVersion: number,
    proving?: Pick<QueuedTransaction, 'unverifiedProofs' | 'drawnFromMs'>,
  ): Outcome {
    const { queue, verified, monotonicMs } = this.modules
    const { value: head } = signed.payload
    const { teu, work, proofWork } = content.cost
    // A single literal for the common case, so that all such objects share a hidden class.
    const plain: QueuedTransaction = {
      id,
      signedHash: hash,
      bytes,
      authority: head.authority,
      route: { lane, dataspace },
      teu,
      work,
      proofWork,
      expiresAtMs: expiresAtMs(head),
      enteredAtMs: monotonicMs(),
    }
    const transaction = proving === undefined ? plain : { ...plain, ...proving }
    const reason = queue.push(transaction)
    if (reason !== undefined) return refused(reason)
    verified.add(transaction.signedHash)
    // Waiting transactions were validated again when the rules changed. This one was in progress, and no block may draw
    // from its lane now.
    if (rulesVersion !== this.modules.rulesVersion()) this.modules.reconsider(transaction)
    return { ok: true, transaction }
  }
}
