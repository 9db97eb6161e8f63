/** Owns the processing of committed blocks: settled and rejected payments of this bridge. */

import type { StoredBlock } from '../../../api/services.js'
import { toHex } from '../../../codec/index.js'
import { isEvent, rejectionOf } from '../../../model/index.js'
import { events } from '../schema/events.js'
import { reconcileRecords } from './bulk/known.js'
import type { BridgeContext } from './context.js'
import { isoMetrics } from './metrics.js'
import { byMessage, closePayments, DecidedMessages } from './stages/close.js'

/** Blocks per read: bounds memory while the bridge catches up. */
const READ_BLOCKS = 16

/**
 * Follower of the chain that closes the records of the messages decided by each block. It reads no blocks while no
 * record is open.
 */
export class CommittedBlocks {
  private tip = 0
  private next = 1
  private underWay: Promise<void> | undefined
  private stopListening: () => void = () => undefined
  private isStopped = false

  constructor(
    private readonly context: BridgeContext,
    private readonly onError: (error: unknown) => void,
  ) {}

  /**
   * Start after the last block. Undecided transactions of an earlier run are sent again, byte for byte; returns their
   * number.
   */
  async start(): Promise<number> {
    const { services } = this.context
    this.tip = services.height()
    this.next = this.tip + 1
    this.stopListening = services.onCommit((height) => {
      this.tip = height
      this.wake()
    })
    return this.resume()
  }

  private async resume(): Promise<number> {
    const { services, store, mutex } = this.context
    const shared = new Set<string>()
    let sent = 0
    for await (const open of store.unsettledMessages()) {
      const [first] = open
      if (first === undefined) continue
      for (const record of await mutex.run(first, () => reconcileRecords(this.context, open))) {
        if (record.state !== 'sent') continue
        const { transaction, transactionHash } = record
        sent += 1
        if (transaction !== undefined) await services.submit(transaction)
        else if (transactionHash !== undefined) shared.add(toHex(transactionHash))
      }
    }
    for (const hash of shared) {
      const found = await store.shared(Buffer.from(hash, 'hex'))
      if (found !== undefined) await services.submit(found.transaction)
    }
    return sent
  }

  /** Resolves when all blocks so far are processed. */
  async idle(): Promise<void> {
    while (this.underWay !== undefined) await this.underWay
  }

  /** Stop and wait for work in progress. */
  async stop(): Promise<void> {
    this.isStopped = true
    this.stopListening()
    await this.idle()
  }

  private wake(): void {
    this.underWay ??= this.catchUp().then(
      () => {
        this.underWay = undefined
        if (!this.isStopped && this.next <= this.tip) this.wake()
      },
      // Retried at the next block.
      (error: unknown) => {
        this.underWay = undefined
        this.onError(error)
      },
    )
  }

  private async catchUp(): Promise<void> {
    const { store, services } = this.context
    while (!this.isStopped && this.next <= this.tip) {
      const { tip } = this
      if (!(await store.hasOpen())) {
        this.next = tip + 1
        continue
      }
      const blocks = await services.history.read(this.next, READ_BLOCKS)
      for (const stored of blocks) await this.close(stored)
      this.next = (blocks.at(-1)?.block.header.height ?? tip) + 1
    }
  }

  /** Close the open records of the payments that a block decided. */
  private async close({ block, outcome }: StoredBlock): Promise<void> {
    const { services, store, mutex } = this.context
    const { timeMs } = block.header
    const decided = new DecidedMessages()
    for (const { entry, event } of outcome.events) {
      const transactionHash = outcome.results[entry]?.transactionId
      if (transactionHash === undefined) continue
      if (isEvent(event, events.messageClaimed))
        decided.add(event.value, { place: 1, kind: 'claimed', transactionHash })
      else if (isEvent(event, events.paymentSettled)) {
        decided.add(event.value, { place: event.value.place, kind: 'settled', transactionHash })
      } else if (isEvent(event, events.paymentRejected)) {
        const { place, code } = event.value
        decided.add(event.value, { place, kind: 'rejected', code, transactionHash })
      } else if (isEvent(event, events.partRefused)) {
        const { place, code } = event.value
        decided.add(event.value, { place, kind: 'refused', code, transactionHash })
      }
    }
    const work: Promise<unknown>[] = []
    const { payments: decidedCount } = isoMetrics(services.metrics)
    for (const { identity, payments } of decided.messages()) {
      const open = payments.filter(({ place }) => store.openAt(identity, place).length > 0)
      for (const { kind } of open) decidedCount.inc({ outcome: kind === 'claimed' ? 'settled' : kind })
      if (open.length > 0) work.push(mutex.run(identity, () => closePayments(this.context, identity, open, timeMs)))
    }
    for (const { transactionId, outcome: end } of outcome.results) {
      if (rejectionOf(end) === undefined) continue
      for (const records of byMessage(await store.ofTransaction(transactionId))) {
        const [first] = records
        if (first === undefined) continue
        decidedCount.inc({ outcome: 'rejected' }, records.length)
        work.push(mutex.run(first, () => reconcileRecords(this.context, records)))
      }
    }
    await Promise.all(work)
    await this.dropShared(outcome)
  }

  /** Drop the bytes of decided transactions, which are not sent again. */
  private async dropShared({ results }: StoredBlock['outcome']): Promise<void> {
    const { store } = this.context
    for (const { transactionId } of results) if (store.isShared(transactionId)) await store.dropShared(transactionId)
  }
}
