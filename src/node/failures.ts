/** Owns the divergences of this node: the last one, and the halt if the block is certified. */
import type { DivergenceRecord } from '../api/index.js'
import type { Halt } from '../api/services.js'
import type { ReportFault } from './ledger/protocol.js'
import type { Logger } from './logger.js'

export class Failures {
  /** The last block that this node did not reproduce. */
  divergence: DivergenceRecord | undefined
  /** Why the node stands for good, when it does. */
  halted: Halt | undefined
  private readonly listeners = new Set<() => void>()

  constructor(private readonly logger: Logger) {}

  /** `fault`: why its report could not be written. */
  diverged(divergence: DivergenceRecord, fault?: ReportFault): void {
    this.divergence = divergence
    const { height, blockHash, certified, detail, report } = divergence
    this.logger.error(
      { height, block: Buffer.from(blockHash).toString('hex'), certified, detail, report },
      'block not reproduced: this node computed different roots and does not vote for it',
    )
    if (fault !== undefined) this.logger.error({ height, ...fault }, 'cannot write the divergence report')
  }

  halt(height: number, reason: string): void {
    this.halted = { height, reason }
    this.logger.fatal({ height, detail: reason }, 'halted: certified block not reproduced')
    for (const listener of this.listeners) listener()
  }

  /** Calls back when the node halts; returns the way to stop. */
  onHalt(listener: () => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }
}
