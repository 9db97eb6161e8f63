/** Finality where more rosters followed each other than one proof carries, as epochs do: nothing is cut off, and a proof goes on from a proven block. */
import { describe, expect, it } from 'vitest'
import { ROSTER_STEPS_MAX } from '../../../src/api/index.js'
import type { QueryContext } from '../../../src/executor/reads.js'
import { finalityQuery } from '../../../src/features/explorer/ledger/proofs.js'
import { rosterKey } from '../../../src/ledger/indexes.js'
import { rosterList } from '../../../src/ledger/roster-index.js'

const LENGTH = 10
const EPOCHS = ROSTER_STEPS_MAX + 500

/** A node that stores an empty roster for each epoch of ten heights. */
const node = {
  height: EPOCHS * LENGTH,
  indexGet: () => undefined,
  block: async () => ({ header: {}, body: Buffer.alloc(0) }),
  certified: async (height: number) => ({ header: { height } }),
  async *indexRange({ gte, lt, limit }: { gte: Uint8Array; lt?: Uint8Array; limit: number }) {
    let count = 0
    for (let epoch = 0; epoch < EPOCHS && count < limit; epoch += 1) {
      const key = rosterKey(2 + epoch * LENGTH)
      if (Buffer.compare(key, gte) < 0 || (lt !== undefined && Buffer.compare(key, lt) >= 0)) continue
      count += 1
      yield [key, rosterList.encode([])] as const
    }
  },
} as unknown as QueryContext

const steps = async (height: number, from?: number): Promise<number | undefined> =>
  (await finalityQuery(node, { height, from }))?.rosters.length

describe('a proof of finality', () => {
  it('contains every roster on the path to its block, up to the limit', async () => {
    expect(await steps(2)).toBe(1)
    expect(await steps(2 + LENGTH * (ROSTER_STEPS_MAX - 1))).toBe(ROSTER_STEPS_MAX)
  })

  it('is refused above the limit instead of being incomplete', async () => {
    expect(await steps(2 + LENGTH * ROSTER_STEPS_MAX)).toBeUndefined()
    expect(await steps(node.height)).toBeUndefined()
  })

  it('continues from a proven block, and contains only later rosters', async () => {
    expect(await steps(node.height, 20_000)).toBe(EPOCHS - 2_000)
    expect(await steps(node.height, node.height - 5)).toBe(0)
    expect(await steps(node.height, node.height + 1)).toBeUndefined()
    expect(await steps(node.height, 1)).toBeUndefined()
  })
})
