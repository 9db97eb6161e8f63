/** Owns what the bridge learns from committed blocks: which of its open messages were paid or rejected. */

import type { StoredBlock } from '../../../api/services.js'
import { isEvent, rejectionOf } from '../../../model/index.js'
import { events } from '../schema/events.js'
import type { BridgeContext } from './context.js'
import { isOpen } from './record.js'
import { reconcile } from './stages/reconcile.js'
import type { MessageIdentity } from './store.js'

/** Blocks that are read at once: bounds memory while the bridge catches up. */
const READ_BLOCKS = 16

/** Follows the chain: each block closes the records of the messages that it decided. No block is read while none is open. */
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
   * Begins behind the last block. What was sent before the node ended, and is not decided since, is sent again byte for
   * byte; gives its number.
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
    let sent = 0
    for await (const open of store.unsettled()) {
      const known = await mutex.run(open, () => reconcile(this.context, open))
      const { state, transaction } = known?.by === 'gateway' ? known.record : { ...open, state: 'settled' as const }
      if (state !== 'sent' || transaction === undefined) continue
      await services.submit(transaction)
      sent += 1
    }
    return sent
  }

  /** Resolves when all blocks up to now are read. */
  async idle(): Promise<void> {
    while (this.underWay !== undefined) await this.underWay
  }

  /** Ends it and waits for what is under way. */
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
      // The next block tries again.
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

  /** Brings the open messages of a block to what the ledger says. */
  private async close({ outcome }: StoredBlock): Promise<void> {
    const { store, mutex } = this.context
    const decided: MessageIdentity[] = outcome.events.flatMap(({ event }) =>
      isEvent(event, events.messageClaimed) ? [event.value] : [],
    )
    for (const { transactionId, outcome: end } of outcome.results) {
      const record = rejectionOf(end) !== undefined ? await store.ofTransaction(transactionId) : undefined
      if (record !== undefined) decided.push(record)
    }
    for (const identity of decided) {
      const record = await store.get(identity)
      if (record !== undefined && isOpen(record)) await mutex.run(identity, () => reconcile(this.context, identity))
    }
  }
}
