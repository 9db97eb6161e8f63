/** Owns the pruning of a running ledger: the oldest blocks are removed with their results and index entries. */
import type { CodecContext } from '../../codec/index.js'
import type { Abi, HistoryBlock } from '../../executor/index.js'
import { transactionKey } from '../../ledger/indexes.js'
import { assertInvariant, blockBody, FIRST_VOTED_HEIGHT } from '../../model/index.js'
import type { WorldState } from '../../state/index.js'
import { type BlockStore, failPoint } from '../../storage/index.js'
import { BUSY_RESTS_MAX, Pacer } from '../snapshot/pacer.js'
import { outcomeAt } from './history.js'
import { LongWork } from './long-work.js'

/**
 * Maximum index entries removed in one batch: the number that a full block adds, since a block may wait for such a
 * batch.
 */
const SLICE_KEYS = 4_096
const SLICE_BLOCKS = 32
/** Minimum number of blocks pruned per committed block, even on a busy node, so that the disk use stays bounded. */
const PRUNED_PER_COMMITTED = 2

export interface PruningParts {
  readonly world: WorldState
  readonly store: BlockStore
  readonly abi: Pick<Abi, 'features'>
  readonly codec: CodecContext
}

export class Pruning {
  private readonly work = new LongWork()

  constructor(private readonly parts: PruningParts) {}

  /** Prune the blocks below a height; genesis, headers and the last block are kept. */
  run(below: number): Promise<void> {
    return this.work.run('pruning', () => this.prune(below))
  }

  /** End the running work. */
  close(): Promise<void> {
    return this.work.close()
  }

  private async prune(asked: number): Promise<void> {
    const { store, world } = this.parts
    // The next block and a start depend on the last block. Evidence and the replay window read no bodies.
    const below = Math.min(asked, world.height)
    const first = Math.max(FIRST_VOTED_HEIGHT, store.firstHeight)
    if (first >= below) return
    let from = first
    const since = world.height
    const isBehind = (): boolean => from - first < PRUNED_PER_COMMITTED * (world.height - since)
    const pacer = new Pacer(() => (isBehind() ? 1 : BUSY_RESTS_MAX))
    while (from < below && !this.work.isClosing) {
      let end = from
      const keys: Uint8Array[] = []
      while (end < Math.min(from + SLICE_BLOCKS, below) && keys.length < SLICE_KEYS) {
        for (const key of await this.keysOf(end)) keys.push(key)
        end += 1
        await pacer.step()
      }
      // Hide blocks before their index entries are removed. After a crash both steps run again.
      store.hideBelow(end)
      await world.dropIndexes(keys)
      failPoint(230)
      from = end
    }
    await store.dropHidden()
  }

  /** Index entries that belong to one block only. */
  private async keysOf(height: number): Promise<readonly Uint8Array[]> {
    const { store, abi, codec } = this.parts
    const [stored, outcome] = [await store.read(height), await outcomeAt(store, height, codec)]
    assertInvariant(stored !== undefined && outcome !== undefined, `block ${height} is stored until it is pruned`)
    const body = blockBody.decode(stored.body, codec)
    if (!body.ok) throw new Error(`the payload of block ${height} does not decode: ${body.fault.message}`)
    const { results, events } = outcome
    const entries = body.value.entries.map(({ transaction }, at) => {
      const result = results[at]
      assertInvariant(result !== undefined, `entry ${at} of block ${height} has a result`)
      return { id: result.transactionId, signed: transaction.value }
    })
    const block: HistoryBlock = { height, timeMs: stored.header.timeMs, entries, results, events }
    const historyKeys = abi.features.flatMap(({ history }) => history.flatMap((keys) => keys(block)))
    return [...entries.map(({ id }) => transactionKey(id)), ...historyKeys]
  }
}
