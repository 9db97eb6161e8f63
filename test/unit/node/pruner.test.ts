/** When a node prunes, and who holds blocks for how long. */
import { setImmediate as turn } from 'node:timers/promises'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { Pruner } from '../../../src/node/upkeep/pruner.js'

const NONE = { everyBlocks: 0, keep: 2 }

function pruning(retainBlocks: number, kept: readonly number[] = [], snapshots = NONE) {
  const asked: number[] = []
  const warned: unknown[] = []
  let firstHeight = 1
  const pruner = new Pruner({
    config: { retainBlocks },
    snapshots,
    archive: { list: kept.map((height) => ({ head: { height } })) as never },
    ledger: {
      prune: async ({ below }) => {
        asked.push(below)
        firstHeight = below
        return { firstHeight }
      },
    },
    logger: { ...pino({ level: 'silent' }), debug: () => {}, warn: (fields: unknown) => warned.push(fields) } as never,
  })
  const commit = async (height: number) => {
    pruner.committed({ height, firstHeight })
    await turn()
  }
  return { pruner, asked, warned, commit }
}

it('the pruner keeps all blocks by default', async () => {
  const { asked, commit } = pruning(0)
  for (let height = 2; height < 3_000; height += 1) await commit(height)
  expect(asked).toEqual([])
})

it('the pruner keeps the configured number of blocks, and prunes several blocks together', async () => {
  const { asked, commit } = pruning(80)
  for (let height = 2; height <= 120; height += 1) await commit(height)
  expect(asked).toEqual([11, 21, 31, 41])
})

it('the pruner removes a long history in several runs of bounded length', async () => {
  const { asked, commit } = pruning(100)
  for (let height = 10_000; height < 10_004; height += 1) await commit(height)
  expect(asked).toEqual([4_097, 8_193, 9_903])
})

it('the pruner keeps blocks after its oldest snapshot', async () => {
  const { asked, warned, commit } = pruning(10, [60, 40], { everyBlocks: 20, keep: 2 })
  for (let height = 2; height <= 120; height += 1) await commit(height)
  expect([asked.at(-1), warned]).toEqual([41, []])
})

it.each([
  ['are no longer made', 10, { everyBlocks: 20, keep: 2 }],
  ['are made only on request', 40, NONE],
])(
  'the pruner keeps blocks after snapshots that %s until twice the normal age, and then logs a warning',
  async (_, ...rest) => {
    const [retained, snapshots] = rest
    const { asked, warned, commit } = pruning(retained, [60, 40], snapshots)
    for (let height = 2; height <= 120; height += 1) await commit(height)
    expect([asked.at(-1), warned]).toEqual([41, []])
    for (let height = 121; height <= 140; height += 1) await commit(height)
    expect([asked.at(-1), warned]).toEqual([61, [{ height: 40 }]])
    for (let height = 141; height <= 200; height += 1) await commit(height)
    expect(asked.at(-1)).toBeGreaterThan(150)
    expect(warned).toEqual([{ height: 40 }, { height: 60 }])
  },
)

it('the pruner keeps unread blocks of a service up to twice the configured number', async () => {
  const { pruner, asked, commit } = pruning(40)
  pruner.addReader(() => 30)
  pruner.addReader(() => 70)
  for (let height = 2; height <= 100; height += 1) await commit(height)
  expect(asked.at(-1)).toBeLessThanOrEqual(30)
  expect(asked.at(-1)).toBeGreaterThan(20)
  for (let height = 101; height <= 140; height += 1) await commit(height)
  expect(asked.at(-1)).toBe(61)
})

it('the pruner does not start a second run during the first one, and retries a failed run some blocks later', async () => {
  let runs = 0
  const failing = new Pruner({
    config: { retainBlocks: 8 },
    snapshots: NONE,
    archive: { list: [] },
    ledger: {
      prune: async () => {
        runs += 1
        await turn()
        throw new Error('the disk is full')
      },
    },
    logger: pino({ level: 'silent' }),
  })
  failing.committed({ height: 100, firstHeight: 1 })
  failing.committed({ height: 101, firstHeight: 1 })
  expect(runs).toBe(1)
  await turn()
  await turn()
  for (let height = 102; height < 164; height += 1) failing.committed({ height, firstHeight: 1 })
  expect(runs).toBe(1)
  failing.committed({ height: 164, firstHeight: 1 })
  expect(runs).toBe(2)
})
