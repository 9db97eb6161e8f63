// Checks who has the duty to relay: size, terms, pools, and that every peer of a pool gets its share.
import { expect, it } from 'vitest'
import { RELAY_TERM_BLOCKS, relayCommittee } from '../../../src/lanes/index.js'

const key = (index: number): string => String.fromCharCode(index).repeat(48)
const pool = Array.from({ length: 22 }, (_, index) => key(index + 1))
const draw = (more: Partial<Parameters<typeof relayCommittee>[0]> = {}) =>
  relayCommittee({
    chainHash: Buffer.alloc(32, 1),
    seed: Buffer.alloc(32, 2),
    dataspace: { id: 7n, faultTolerance: 1, relayers: [] },
    lane: 3,
    height: 10,
    roster: pool,
    ...more,
  })

it('a relay committee has 3f + 1 distinct relayers, or roster members if the dataspace lists no relayers', () => {
  expect([draw().members.length, draw().short]).toEqual([4, false])
  expect(new Set(draw().members).size).toBe(4)
  const relayers = pool.slice(0, 9)
  const wide = draw({ dataspace: { id: 7n, faultTolerance: 2, relayers } })
  expect(wide.members).toHaveLength(7)
  expect(wide.members.every((member) => relayers.includes(member))).toBe(true)
})

it('a relay committee that is too small contains all relayers of its dataspace, and reports the shortage', () => {
  const small = draw({ dataspace: { id: 7n, faultTolerance: 1, relayers: pool.slice(0, 3) } })
  expect([[...small.members].sort(), small.short]).toEqual([pool.slice(0, 3), true])
})

it('a relay committee is fixed for a term, and depends on term, lane, dataspace, chain and seed', () => {
  expect(draw({ height: RELAY_TERM_BLOCKS - 1 })).toEqual(draw({ height: 1 }))
  const others = [
    draw({ height: RELAY_TERM_BLOCKS }),
    draw({ lane: 4 }),
    draw({ dataspace: { id: 8n, faultTolerance: 1, relayers: [] } }),
    draw({ chainHash: Buffer.alloc(32, 9) }),
    draw({ seed: Buffer.alloc(32, 9) }),
  ]
  for (const other of others) expect(other.members).not.toEqual(draw().members)
})

it('each peer serves on between half and twice its share of relay committees over 2,000 terms', () => {
  const counts = new Map<string, number>()
  for (let term = 0; term < 2_000; term += 1) {
    for (const member of draw({ height: term * RELAY_TERM_BLOCKS }).members) {
      counts.set(member, (counts.get(member) ?? 0) + 1)
    }
  }
  const share = (2_000 * 4) / pool.length
  expect(counts.size).toBe(pool.length)
  for (const count of counts.values()) expect(count > share / 2 && count < share * 2).toBe(true)
})
