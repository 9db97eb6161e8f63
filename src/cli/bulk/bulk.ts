/**
 * Owns bulk submission of transactions: a rate, a limit of pending transactions, one event stream that follows each to
 * its end, and a summary of failures.
 */
import { definedFields } from '../../base/defined-fields.js'
import { sleep } from '../../base/sleep.js'
import type { CausewayClient, Submission, TransactionState } from '../../client/index.js'
import { mayHaveArrived } from '../../client/unanswered.js'
import { earlyExpiry } from '../../client/wait.js'
import { type ErrorRecord, EXIT, LedgerError } from '../../model/errors.js'
import { stateError } from '../gateway/gateway.js'
import type { WaitMode } from '../input/wait-mode.js'
import { batchExit } from '../terminal/batch-exit.js'
import { INTERRUPTED } from '../terminal/interrupt.js'
import type { Progressed } from '../terminal/meter.js'
import type { BulkItem } from './source.js'

/** Delay before a full node is retried, in ms. */
const FULL_PAUSE_MS = 200
/** Interval between checks for overdue transactions, in ms. */
const LATE_POLL_MS = 250
/** Maximum concurrent proof requests. */
const PROVING_MAX = 16
/** Error codes of a node that temporarily accepts no transactions; the submission is retried. */
const FULL: ReadonlySet<string> = new Set([
  'queue_full',
  'per_user_queue_limit',
  'rate_limited',
  'too_many_connections',
])

/** Signed transaction. */
export interface Signed {
  /** Transaction id in hex. */
  readonly hash: string
  readonly bytes: Uint8Array
  /** Expiry, in ms since the Unix epoch. */
  readonly expiresAtMs: number
}

export interface BulkOptions {
  readonly wait: WaitMode
  /** Maximum submissions per second; undefined: limited by the window only. */
  readonly rate: number | undefined
  /** Maximum transactions that are submitted but not yet decided. */
  readonly window: number
  /** Maximum wait for one transaction, in ms. */
  readonly timeoutMs: number
  /** True if a block counts only with a proof, as with a pinned genesis; load tests trust the gateway instead. */
  readonly prove: boolean
  /** Sign an item of the file. */
  readonly sign: (item: BulkItem) => Promise<Signed>
  readonly onProgress: (now: Progressed) => void
  /**
   * Called for each committed transaction with its latency since the due time, in ms; undefined if the commit was found
   * by a later look-up.
   */
  readonly onCommitted?: (latencyMs: number | undefined) => void
  /** Aborted to stop sending; pending transactions are followed to their end. */
  readonly signal: AbortSignal
  /** Estimated number of transactions in the whole file, from the part read so far. */
  readonly expected: (taken: number) => number | undefined
}

/** Transaction that failed. */
export interface BulkFailure {
  readonly place: string
  readonly hash: string | undefined
  readonly error: Pick<ErrorRecord, 'code' | 'message'>
  readonly exit: number
}

/** Result of a bulk run. */
export interface BulkReport {
  readonly transactions: number
  /** Number of each outcome: `approved`, `submitted`, or the code of a failure. */
  readonly counts: Readonly<Record<string, number>>
  readonly failures: readonly BulkFailure[]
  /** Reason why the rest of the file was not sent; undefined if all was sent. */
  readonly stopped: string | undefined
  readonly elapsedMs: number
  readonly exit: number
}

interface UnderWay extends Pick<Signed, 'expiresAtMs'> {
  readonly place: string
  /** Due time of its submission on the clock of this process, in ms: a sender that falls behind its rate is late. */
  readonly dueMs: number
}

/** Submit all of `items`; a failure of one does not end the others, but an unreachable node does. */
export function submitBulk(
  client: CausewayClient,
  items: AsyncIterable<BulkItem>,
  options: BulkOptions,
): Promise<BulkReport> {
  return new Bulk(client, options).run(items)
}

class Bulk {
  private readonly startedMs = performance.now()
  private readonly underWay = new Map<string, UnderWay>()
  private readonly sending = new Set<Promise<void>>()
  private readonly proving = new Map<string, Promise<void>>()
  private readonly counts = new Map<string, number>()
  private readonly failures: BulkFailure[] = []
  private readonly stop = new AbortController()
  private stopped: string | undefined
  private taken = 0
  private ended = 0
  /** Time of the node's last response to a submission. */
  private answeredMs = 0
  private wake: () => void = () => undefined

  constructor(
    private readonly client: CausewayClient,
    private readonly options: BulkOptions,
  ) {}

  async run(items: AsyncIterable<BulkItem>): Promise<BulkReport> {
    const follows = this.options.wait === 'committed'
    // All later submissions are decided above this height.
    const height = await this.client.height()
    const following = follows ? this.follow(height + 1) : Promise.resolve()
    const late = follows ? this.lookForLate() : Promise.resolve()
    const { signal } = this.options
    const interrupted = (): void => {
      this.stopped ??= 'interrupted'
      this.wake()
    }
    signal.addEventListener('abort', interrupted, { once: true })
    if (signal.aborted) interrupted()
    try {
      await this.sendAll(items)
      await this.until(() => this.underWay.size === 0 && this.sending.size === 0)
    } finally {
      signal.removeEventListener('abort', interrupted)
      this.stop.abort()
      await Promise.all([following, late])
    }
    return {
      transactions: this.taken,
      counts: Object.fromEntries([...this.counts].toSorted(([a], [b]) => (a < b ? -1 : 1))),
      failures: this.failures,
      stopped: this.stopped,
      elapsedMs: performance.now() - this.startedMs,
      exit: signal.aborted
        ? INTERRUPTED
        : batchExit([...this.failures, ...(this.stopped === undefined ? [] : [{ exit: EXIT.badInput }])]),
    }
  }

  private async sendAll(items: AsyncIterable<BulkItem>): Promise<void> {
    const { rate, window } = this.options
    const beginMs = performance.now()
    try {
      for await (const item of items) {
        await this.until(() => this.underWay.size + this.sending.size < window || this.stopped !== undefined)
        if (this.stopped !== undefined) return
        const dueMs = rate === undefined ? performance.now() : beginMs + (this.taken * 1_000) / rate
        const leftMs = dueMs - performance.now()
        if (leftMs > 1) await sleep(leftMs)
        this.taken += 1
        const sending = this.send(item, dueMs).finally(() => {
          this.sending.delete(sending)
          this.wake()
        })
        this.sending.add(sending)
      }
    } catch (error) {
      // The file is damaged here: earlier transactions are pending and are followed.
      if (!(error instanceof LedgerError)) throw error
      this.stopped ??= error.message
    }
  }

  private async send({ place, ...item }: BulkItem, dueMs: number): Promise<void> {
    const sentMs = performance.now()
    let hash: string | undefined
    try {
      const signed = await this.options.sign({ place, ...item })
      hash = signed.hash
      if (this.options.wait === 'committed') {
        // Recorded before it is sent: its event may arrive before the response.
        this.underWay.set(hash, { place, dueMs, expiresAtMs: signed.expiresAtMs })
      }
      const { receipt } = await this.submit(signed.bytes)
      // Without a receipt, an earlier run submitted it.
      if (receipt === undefined) return await this.lookUpKnown(signed, place, dueMs)
      if (this.options.wait !== 'committed') this.end('submitted')
    } catch (error) {
      if (!(error instanceof LedgerError)) throw error
      const isLost = error.exit === EXIT.unreachable && !FULL.has(error.code)
      // Others were answered meanwhile: only this submission was lost, and the node is reachable.
      if (isLost && this.answeredMs < sentMs) this.stopped ??= error.message
      // Its event, or the check for overdue ones, shows whether it arrived.
      if (hash !== undefined && this.underWay.has(hash) && mayHaveArrived(error)) return
      if (hash !== undefined) this.underWay.delete(hash)
      this.fail(place, hash, error)
    }
  }

  /** Submit a transaction; a full node is retried until the timeout. */
  private async submit(bytes: Uint8Array): Promise<Submission> {
    const deadlineMs = performance.now() + this.options.timeoutMs
    for (;;) {
      try {
        const submission = await this.client.submitTransaction(bytes)
        this.answeredMs = performance.now()
        return submission
      } catch (error) {
        if (error instanceof LedgerError && error.code !== 'unreachable') this.answeredMs = performance.now()
        const full = error instanceof LedgerError && FULL.has(error.code)
        if (!full || performance.now() > deadlineMs) throw error
        await sleep(FULL_PAUSE_MS)
      }
    }
  }

  /** Look up a transaction of an earlier run once; events report the rest. */
  private async lookUpKnown({ hash, expiresAtMs }: Signed, place: string, dueMs: number): Promise<void> {
    if (this.options.wait !== 'committed') return this.end('known')
    this.underWay.set(hash, { place, dueMs, expiresAtMs })
    await this.look(hash)
  }

  /** Complete transactions by the events of the chain. */
  private async follow(fromHeight: number): Promise<void> {
    const { signal } = this.stop
    const filters = [{ category: 'transaction' as const }]
    try {
      for await (const item of this.client.events({ filters, fromHeight, signal })) {
        if (item.kind === 'gap') {
          await this.lookAtAll()
          continue
        }
        const { event } = item.value
        if (event.kind !== 'transaction') continue
        const hash = Buffer.from(event.value.hash).toString('hex')
        if (!this.underWay.has(hash)) continue
        const { status, blockHeight: height } = event.value
        if (status === 'approved')
          await this.settle(hash, definedFields({ state: 'approved', height }), performance.now())
        // The event has only the code: the message is requested from the node.
        else if (status === 'rejected' || status === 'expired') await this.look(hash)
      }
    } catch (error) {
      // Without the stream, overdue transactions are looked up individually.
      if (!(error instanceof LedgerError) && !signal.aborted) throw error
    }
  }

  /** Look up overdue transactions; unknown ones fail. */
  private async lookForLate(): Promise<void> {
    while (!this.stop.signal.aborted) {
      await sleep(LATE_POLL_MS)
      const lateMs = performance.now() - this.options.timeoutMs
      for (const [hash, { place, dueMs }] of [...this.underWay]) {
        if (dueMs > lateMs || this.stop.signal.aborted || this.proving.has(hash)) continue
        await this.look(hash)
        if (this.proving.has(hash) || !this.underWay.delete(hash)) continue
        this.fail(place, hash, new LedgerError('pending', `not committed within ${this.options.timeoutMs} ms`))
      }
    }
  }

  private async lookAtAll(): Promise<void> {
    for (const hash of [...this.underWay.keys()]) await this.look(hash)
  }

  private async look(hash: string): Promise<void> {
    try {
      await this.settle(hash, await this.client.transactionStatus(hash))
    } catch (error) {
      if (!(error instanceof LedgerError)) throw error
    }
  }

  /**
   * Complete a transaction with a final state, once that is proven; waits only while many proofs are pending. `seenMs`:
   * time of its event; undefined if it was looked up.
   */
  private async settle(hash: string, state: TransactionState, seenMs?: number): Promise<void> {
    if (!this.underWay.has(hash) || state.state === 'queued' || state.state === 'unknown') return
    if (!this.options.prove) return this.settled(hash, state, seenMs)
    if (this.proving.has(hash)) return
    this.proving.set(
      hash,
      this.proven(hash, state, seenMs).finally(() => this.proving.delete(hash)),
    )
    if (this.proving.size >= PROVING_MAX) await Promise.race(this.proving.values())
  }

  private async proven(hash: string, state: TransactionState, seenMs: number | undefined): Promise<void> {
    try {
      this.settled(hash, await this.client.prove(hash, state), seenMs)
    } catch (error) {
      if (!(error instanceof LedgerError)) throw error
      // A node without a response is asked again when the transaction is overdue.
      const held = this.underWay.get(hash)
      if (error.exit === EXIT.unreachable || held === undefined) return
      this.underWay.delete(hash)
      this.fail(held.place, hash, error)
    }
  }

  private settled(hash: string, state: TransactionState, seenMs: number | undefined): void {
    const held = this.underWay.get(hash)
    if (held === undefined) return
    this.underWay.delete(hash)
    const failed = earlyExpiry(hash, state, held.expiresAtMs) ?? stateError(hash, state)
    if (failed === undefined) {
      this.options.onCommitted?.(seenMs === undefined ? undefined : seenMs - held.dueMs)
      this.end(state.state)
    } else this.fail(held.place, hash, failed)
  }

  private fail(place: string, hash: string | undefined, error: LedgerError): void {
    this.failures.push({ place, hash, error: { code: error.code, message: error.message }, exit: error.exit })
    this.end(error.code)
  }

  private end(outcome: string): void {
    this.ended += 1
    this.counts.set(outcome, (this.counts.get(outcome) ?? 0) + 1)
    const failed = this.failures.length === 0 ? '' : `, ${this.failures.length} failed`
    const total = this.options.expected(this.taken)
    this.options.onProgress({ done: this.ended, total, note: `${this.taken - this.ended} in progress${failed}` })
    this.wake()
  }

  /** Wait for a condition that the end of a transaction may fulfil. */
  private async until(holds: () => boolean): Promise<void> {
    while (!holds()) {
      await new Promise<void>((resolve) => {
        this.wake = resolve
      })
    }
  }
}
