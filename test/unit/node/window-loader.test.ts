/** The transaction ids of a snapshot: written as they come, however many, and refused unless the state holds their digests. */
import { describe, expect, it } from 'vitest'
import { hash } from '../../../src/crypto/index.js'
import { replay } from '../../../src/executor/index.js'
import { replayBlockKey, replayIdKey } from '../../../src/node/chain/indexes.js'
import { WindowLoader } from '../../../src/node/snapshot/window.js'
import { MemoryBackend, rowKey, WorldState } from '../../../src/state/index.js'

const HEIGHT = 500
const idOf = (block: number, at: number): Buffer => {
  const id = Buffer.alloc(32)
  id.writeUInt32BE(block, 0)
  id.writeUInt32BE(at, 4)
  return id
}
const blockOf = (height: number, count = 3) => ({
  height,
  ids: Buffer.concat(Array.from({ length: count }, (_, at) => idOf(height, at))),
})
type Block = ReturnType<typeof blockOf>

/** A state whose replay window is these blocks. */
async function stateOf(blocks: readonly Block[]): Promise<WorldState> {
  const world = await WorldState.open({ backend: new MemoryBackend() })
  const rows = blocks.map(({ height, ids }) => {
    const each = Array.from({ length: ids.length / 32 }, (_, at) => ids.subarray(at * 32, (at + 1) * 32))
    return {
      row: rowKey(replay, height),
      bytes: replay.value.encode({ digest: hash('ids', ...each), lastExpiryMs: 9 }),
    }
  })
  await world.commit(world.prepareRows(rows), { height: HEIGHT })
  return world
}
async function load(world: WorldState, blocks: readonly Block[]): Promise<void> {
  const loader = new WindowLoader(world)
  await loader.take(blocks, HEIGHT)
  await loader.flush(HEIGHT)
  await loader.verify()
}
const WINDOW = Array.from({ length: 150 }, (_, at) => blockOf(10 + 2 * at))

describe('the replay window loaded from a snapshot', () => {
  it('is accepted if its blocks match the digests in the state', async () => {
    const world = await stateOf(WINDOW)
    await load(world, WINDOW)
    expect(world.indexGet(replayBlockKey(10))?.equals(WINDOW[0]!.ids)).toBe(true)
    expect(world.indexGet(replayIdKey(idOf(308, 2)))).toBeDefined()
  })

  it('is written in parts, so that it is never in memory as a whole', async () => {
    // A batch holds two of these blocks.
    const blocks = [1, 2, 3, 4].map((height) => blockOf(height, 16 * 1024))
    const world = await stateOf(blocks)
    const loader = new WindowLoader(world)
    const written = () => blocks.map(({ height }) => world.indexGet(replayBlockKey(height)) !== undefined)
    await loader.take(blocks.slice(0, 2), HEIGHT)
    expect(written()).toEqual([true, true, false, false])
    await loader.take(blocks.slice(2), HEIGHT)
    expect(written()).toEqual([true, true, true, true])
  })

  it.each<[string, (blocks: Block[]) => Block[], RegExp]>([
    ['without a block', (blocks) => blocks.slice(1), /ids of block 10 are missing/],
    [
      'with another id',
      ([first, ...rest]) => [{ ...blockOf(11), height: first!.height }, ...rest],
      /block 10 differ from the state/,
    ],
    ['with an extra block', (blocks) => [...blocks, blockOf(400)], /outside of the replay window/],
    ['with a duplicate block', (blocks) => [blocks[0]!, ...blocks], /not in order/],
    ['in another order', (blocks) => blocks.toReversed(), /not in order/],
    [
      'with a block after that of the snapshot',
      (blocks) => [...blocks, blockOf(HEIGHT + 1)],
      /block 501, above height 500/,
    ],
    [
      'with a block without ids',
      ([first, ...rest]) => [first!, { height: 11, ids: Buffer.alloc(0) }, ...rest],
      /block 11/,
    ],
    [
      'with a truncated id',
      ([first]) => [{ ...first!, ids: first!.ids.subarray(1) }],
      /block 10 differ from the state/,
    ],
  ])('is rejected %s', async (_, change, reason) => {
    await expect(load(await stateOf(WINDOW), change([...WINDOW]))).rejects.toThrow(reason)
  })
})
