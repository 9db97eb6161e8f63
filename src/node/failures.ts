/** Owns what this node could not reproduce: its last divergence, and the halt that follows where the block is certified. */
import type { DivergenceRecord } from '../api/index.js'
import type { Logger } from './logger.js'

export class Failures {
  /** The last block that this node did not reproduce. */
  divergence: DivergenceRecord | undefined
  /** Reason of a halt, when there was one. */
  haltReason: string | undefined

  constructor(private readonly logger: Logger) {}

  diverged(divergence: DivergenceRecord): void {
    this.divergence = divergence
    const { height, blockHash, certified, detail, report } = divergence
    this.logger.error(
      { height, block: Buffer.from(blockHash).toString('hex'), certified, detail, report },
      'block not reproduced: this node computed other roots and does not vote for it',
    )
  }

  halt(height: number, detail: string): void {
    this.haltReason = detail
    this.logger.fatal({ height, detail }, 'halted: certified block not reproduced')
  }
}
