/** Owns the divergences of this node: the last one, and the halt if its block is certified. */
import type { DivergenceRecord } from '../../api/index.js'
import type { Halt } from '../../api/services.js'
import type { ReportFault } from '../ledger/protocol.js'
import type { Logger } from '../process/logger.js'

export class Failures {
  /** Last block that this node did not reproduce. */
  divergence: DivergenceRecord | undefined
  /** Reason of the halt; undefined while the node runs. */
  halted: Halt | undefined

  constructor(
    private readonly logger: Logger,
    private readonly onHalt: () => void,
  ) {}

  /** Record a divergence. `fault`: why its report could not be written. */
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
    this.onHalt()
  }
}
