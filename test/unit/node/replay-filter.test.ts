import { describe, expect, it } from 'vitest'
import { hash } from '../../../src/crypto/index.js'
import { ReplayFilter } from '../../../src/node/ledger/replay-filter.js'

const idOf = (at: number): Buffer => hash('replay-filter-test', Buffer.from(String(at)))
const MIB = 1024 * 1024

function filled(): ReplayFilter {
  const filter = new ReplayFilter()
  filter.complete()
  return filter
}

describe('the in-memory filter of committed transactions', () => {
  it('excludes no transaction before the whole window is loaded', () => {
    const filter = new ReplayFilter()
    filter.add(2, idOf(1))
    expect(filter.mayHold(idOf(2))).toBe(true)
    filter.expire(2)
    expect(filter.mayHold(idOf(2))).toBe(true)
    filter.complete()
    expect(filter.mayHold(idOf(2))).toBe(false)
  })

  it('contains every id of the window, also after expiries, and rarely matches another id', () => {
    const filter = filled()
    const perBlock = 700
    const window = 300
    let others = 0
    for (let height = 1; height <= 900; height += 1) {
      const ids = Array.from({ length: perBlock }, (_, at) => idOf(height * perBlock + at))
      filter.add(height, Buffer.concat(ids))
      if (height > window) filter.expire(height - window)
      for (let back = 0; back < window && back < height; back += 17) {
        expect(filter.mayHold(idOf((height - back) * perBlock + (height % perBlock)))).toBe(true)
      }
      if (filter.mayHold(idOf(-height))) others += 1
    }
    expect(others).toBeLessThan(50)
    expect(filter.bytes).toBeLessThanOrEqual(MIB)
  })

  // A node that ran meanwhile is told of the window as it grows, one that starts of all of it before it is complete.
  it.each(['runs', 'starts'])(
    'stays within its memory limit while a node %s, and evicted ids are read from disk',
    (which) => {
      const filter = which === 'runs' ? filled() : new ReplayFilter()
      // Bytes of any kind do: what is counted are ids.
      const block = Buffer.alloc(32 * 100_000)
      for (let at = 0; at < block.length; at += 4) block.writeUInt32LE(Math.imul(at + 1, 2_654_435_761) >>> 0, at)
      for (let height = 1; height <= 30; height += 1) filter.add(height, block)
      filter.complete()
      expect(filter.bytes).toBe(4 * MIB)
      expect(filter.mayHold(idOf(1))).toBe(true)
      filter.expire(8)
      expect(filter.mayHold(idOf(1))).toBe(true)
      filter.expire(29)
      expect(filter.mayHold(idOf(1))).toBe(false)
      expect(filter.mayHold(block.subarray(0, 32))).toBe(true)
      filter.expire(30)
      expect(filter.mayHold(block.subarray(0, 32))).toBe(false)
      expect(filter.bytes).toBe(0)
    },
  )
})
