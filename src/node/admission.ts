/** Owns admission: decode once, check, verify and ask the ledger in batches, queue, log, announce, receipt. */
import type { CodecContext } from '../codec/index.js'
import type { CryptoService } from '../crypto/index.js'
import {
  type Abi,
  feeWishesOf,
  routeFactsOf,
  signatureItems,
  staticCost,
  type TransactionLimits,
  transactionFault,
  verdictsOf,
} from '../executor/index.js'
import type { Submitted } from '../features/services.js'
import { type Route, type RouteFacts, type RoutingDecision, singleRoute } from '../lanes/index.js'
import {
  type ErrorCode,
  expiresAtMs,
  isErrorCode,
  keyBytes,
  LedgerError,
  type Receipt,
  type SignedTransaction,
  signedHash,
  signedTransaction,
  transactionId,
} from '../model/index.js'
import type { QueuedTransaction, TransactionQueue } from '../queue/index.js'
import { Batcher } from './batcher.js'
import type { LedgerPort } from './ledger/protocol.js'
import { ROUTE_TEXT } from './route-text.js'
import type { VerifiedTransactions } from './verified.js'

/** Transactions per batch, and how long the first of a batch waits, in ms (design/architecture.md, "Threads"). */
const BATCH_MAX = 256
const BATCH_WAIT_MS = 1
/**
 * The same while transactions come in company: a trip to two threads and a message to every peer cost the same for ten
 * as for one, and what they cost is taken from the blocks.
 */
const BATCH_BUSY_WAIT_MS = 8
/** Records of gossip that wait for admission: beyond it they are dropped, and an offer brings them back. */
const WAITING_MAX = 16_384

/** A record on its way into the queue. */
interface Pending {
  readonly id: Buffer
  readonly signedHash: Buffer
  readonly bytes: Buffer
  readonly signed: SignedTransaction
  /** What the ledger routes it by while lanes are on. */
  readonly facts: RouteFacts | undefined
}

type Outcome =
  | { readonly ok: true; readonly transaction: QueuedTransaction }
  | {
      readonly ok: false
      readonly code: ErrorCode
      readonly message: string
      readonly details?: Readonly<Record<string, unknown>>
    }

export interface AdmissionModules {
  readonly abi: Abi
  readonly codec: CodecContext
  readonly chain: string
  readonly queue: TransactionQueue
  readonly ledger: LedgerPort
  readonly crypto: CryptoService
  readonly verified: VerifiedTransactions
  readonly limits: () => TransactionLimits
  /** Whether the next block routes to lanes. */
  readonly lanesEnabled: () => boolean
  readonly height: () => number
  readonly clockMs: () => number
  readonly nowMs: () => number
  /** Makes acknowledged transactions durable; absent when `queue.durable` is off. */
  readonly log: ((records: readonly Uint8Array[]) => Promise<void>) | undefined
  /** Signs a receipt by the node's network key. */
  readonly receipt: (transactionHash: Uint8Array, submittedAtMs: number, height: number) => Promise<Receipt>
  /** A transaction entered the queue; `own` when a client of this node brought it. */
  readonly onQueued: (transaction: QueuedTransaction, own: boolean) => void
}

const refusal = (code: ErrorCode, message: string): Outcome => ({ ok: false, code, message })

/** Why a transaction without a route is refused, with the stage that refused it; undefined for one that has a route. */
function routeRefusal(route: Route): Outcome | undefined {
  if (route.kind === 'routed') return undefined
  const { fault, stage, rule } = route.value
  const details = { reason: fault, stage, ...(rule === undefined ? {} : { rule }) }
  return { ok: false, code: 'queue_unresolved_route', message: ROUTE_TEXT[fault], details }
}

const QUEUE_TEXT: Readonly<Record<string, string>> = {
  queue_full: 'the queue is full',
  per_user_queue_limit: 'the authority has too many transactions or bytes in the queue',
  already_enqueued: 'the transaction is in the queue',
}

export class Admission {
  private readonly batcher = new Batcher<Pending, Outcome>({
    itemsMax: BATCH_MAX,
    waitMs: BATCH_WAIT_MS,
    busyWaitMs: BATCH_BUSY_WAIT_MS,
    run: (batch) => this.process(batch),
  })
  /** Transactions between arrival and queue, so that copies do not pass twice. */
  private readonly underWay = new Map<string, Promise<Outcome>>()

  constructor(private readonly modules: AdmissionModules) {}

  /** A client's transaction; answers when it is queued and logged. */
  async submit(bytes: Uint8Array): Promise<Submitted> {
    const outcome = await this.admit(bytes, true)
    if (!outcome.ok) {
      const { code, message, details } = outcome
      return { ok: false, error: new LedgerError(code, message, details === undefined ? {} : { details }) }
    }
    const { transaction } = outcome
    const { log, clockMs, height, receipt } = this.modules
    const signed = receipt(transaction.id, clockMs(), height())
    if (log !== undefined) await log([transaction.bytes])
    return { ok: true, receipt: await signed, ...transaction.route }
  }

  /** Records of a peer or of our own log. Refusals are nobody's business, but for those that no correct peer passes on. */
  async take(records: readonly Uint8Array[], onBadSignature?: () => void): Promise<void> {
    if (this.batcher.size > WAITING_MAX) return
    const outcomes = await Promise.all(records.map((record) => this.admit(record, false)))
    for (const outcome of outcomes) if (!outcome.ok && outcome.code === 'signature_invalid') onBadSignature?.()
  }

  private admit(bytes: Uint8Array, own: boolean): Promise<Outcome> {
    const { abi, codec, chain, limits, clockMs, queue } = this.modules
    // The caller's buffer may be a view into a larger one; the queue keeps records for long.
    const copy = Buffer.from(bytes)
    const decoded = signedTransaction.decode(copy, codec)
    if (!decoded.ok) {
      const { code, message, at, path } = decoded.fault
      const place = { ...(at === undefined ? {} : { at }), ...(path === undefined ? {} : { path }) }
      return Promise.resolve({ ok: false, code: isErrorCode(code) ? code : 'bad_value', message, details: place })
    }
    const signed = decoded.value
    const fault = transactionFault({ abi, chain, limits: limits(), timeMs: clockMs() }, copy.length, signed)
    if (fault !== undefined) return Promise.resolve({ ok: false, ...fault })
    const id = transactionId(signed.payload.bytes)
    const key = id.toString('latin1')
    const before = this.underWay.get(key)
    if (before !== undefined) {
      return before.then((outcome) => (outcome.ok ? refused('already_enqueued') : outcome))
    }
    const payload = signed.payload.value
    const facts = this.modules.lanesEnabled() ? routeFactsOf(abi, payload) : undefined
    const unrouted = facts === undefined ? routeRefusal(singleRoute(payload.dataspace)) : undefined
    if (unrouted !== undefined) return Promise.resolve(unrouted)
    const refused_ = queue.refusalOf(id, payload.authority, copy.length)
    if (refused_ !== undefined) return Promise.resolve(refused(refused_))
    const outcome = this.batcher
      .add({ id, signedHash: signedHash(copy), bytes: copy, signed, facts })
      .then((result) => {
        this.underWay.delete(key)
        if (result.ok) this.modules.onQueued(result.transaction, own)
        return result
      })
    this.underWay.set(key, outcome)
    return outcome
  }

  /** Signatures on the crypto threads and verdicts of the ledger thread, side by side; then the queue. */
  private async process(batch: readonly Pending[]): Promise<Outcome[]> {
    const { abi, clockMs, crypto, ledger } = this.modules
    try {
      const [checked, { verdicts }] = await Promise.all([
        crypto.verifyBatch(batch.flatMap((one) => signatureItems(one.signed, one.id))),
        ledger.admit({
          timeMs: clockMs(),
          items: batch.map(({ id, bytes, signed, facts }) => {
            const payload = signed.payload.value
            return {
              id,
              authority: keyBytes(payload.authority),
              facts,
              teu: staticCost(abi, signed, bytes.length).teu,
              ...feeWishesOf(payload),
              policy: signed.policy,
            }
          }),
        }),
      ])
      const signatures = verdictsOf(
        batch.map((one) => one.signed),
        checked,
      )
      return batch.map((one, index) => {
        const verdict = verdicts[index]
        if (verdict === undefined) return refusal('internal', 'the ledger gave no verdict')
        if (signatures[index] !== true) return refusal('signature_invalid', 'the signature does not hold')
        if (verdict.code !== '') {
          return refusal(isErrorCode(verdict.code) ? verdict.code : 'bad_value', verdict.message)
        }
        const route = verdict.route ?? singleRoute(one.signed.payload.value.dataspace)
        return route.kind === 'routed' ? this.enqueue(one, route.value) : (routeRefusal(route) as Outcome)
      })
    } catch {
      // The crypto or the ledger thread is gone; the driver ends the process, clients try another node.
      return batch.map(() => refusal('node_stopping', 'the node is stopping'))
    }
  }

  private enqueue(one: Pending, { lane, dataspace }: RoutingDecision): Outcome {
    const { abi, queue, verified, nowMs } = this.modules
    const payload = one.signed.payload.value
    const transaction: QueuedTransaction = {
      id: one.id,
      signedHash: one.signedHash,
      bytes: one.bytes,
      authority: payload.authority,
      route: { lane, dataspace },
      ...staticCost(abi, one.signed, one.bytes.length),
      expiresAtMs: expiresAtMs(payload),
      enteredAtMs: nowMs(),
    }
    const reason = queue.push(transaction)
    if (reason !== undefined) return refused(reason)
    verified.add(one.signedHash)
    return { ok: true, transaction }
  }
}

const refused = (code: 'queue_full' | 'per_user_queue_limit' | 'already_enqueued'): Outcome =>
  refusal(code, QUEUE_TEXT[code] ?? code)
