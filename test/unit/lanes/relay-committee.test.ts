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

it('a relay committee has 3f + 1 different members of the pool, or of the roster if the dataspace names none', () => {
  expect([draw().members.length, draw().short]).toEqual([4, false])
  expect(new Set(draw().members).size).toBe(4)
  const relayers = pool.slice(0, 9)
  const wide = draw({ dataspace: { id: 7n, faultTolerance: 2, relayers } })
  expect(wide.members).toHaveLength(7)
  expect(wide.members.every((member) => relayers.includes(member))).toBe(true)
})

it('a relay committee is the whole pool if that is too small, and reports it', () => {
  const small = draw({ dataspace: { id: 7n, faultTolerance: 1, relayers: pool.slice(0, 3) } })
  expect([[...small.members].sort(), small.short]).toEqual([pool.slice(0, 3), true])
})

it('a relay committee stays for a term, and differs by term, lane, dataspace, chain and seed', () => {
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

it('a relay committee gives every peer its share: over 2,000 terms between half and twice of it', () => {
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
