/** Owns the few blocks cached after a read, because syncing peers request the same blocks. */
import { readCounter } from '../crypto/index.js'
import type { CommittedBlock } from '../model/index.js'

/** Cache of blocks with least-recently-used eviction; bounded by count and by bytes of their bodies. */
export class BlockCache {
  private readonly blocks = new Map<number, CommittedBlock>()
  private bytes = 0
  private readonly count = readCounter('blocks')

  constructor(
    private readonly maxCount: number,
    private readonly maxBytes: number,
  ) {}

  get(height: number): CommittedBlock | undefined {
    const block = this.blocks.get(height)
    this.count(block !== undefined)
    if (block === undefined) return undefined
    this.blocks.delete(height)
    this.blocks.set(height, block)
    return block
  }

  set(height: number, block: CommittedBlock): void {
    if (this.blocks.has(height) || block.body.length > this.maxBytes / 2) return
    this.blocks.set(height, block)
    this.bytes += block.body.length
    for (const [oldest, { body }] of this.blocks) {
      if (this.blocks.size <= this.maxCount && this.bytes <= this.maxBytes) return
      this.blocks.delete(oldest)
      this.bytes -= body.length
    }
  }
}
