/** Queues of parties that take turns: whose item is next, what is refused, and who is passed over. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FairQueue } from '../../../src/base/fair-queue.js'

const drained = (queue: FairQueue<string, string>): string[] => {
  const items: string[] = []
  for (let item = queue.take(); item !== undefined; item = queue.take()) items.push(item)
  return items
}

describe('a fair queue', () => {
  it('serves one item of each party in turn, and the items of one party in order', () => {
    const queue = new FairQueue<string, string>({ total: 10, perParty: 10 })
    for (const item of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) expect(queue.push(item.charAt(0), item)).toBe(true)
    expect(drained(queue)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
    expect(queue.size).toBe(0)
  })

  it('refuses items of a party beyond its share, and accepts items of other parties', () => {
    const queue = new FairQueue<string, string>({ total: 4, perParty: 2 })
    expect(['a1', 'a2', 'a3', 'b1'].map((item) => queue.push(item.charAt(0), item))).toEqual([true, true, false, true])
    expect([queue.sizeOf('a'), queue.sizeOf('b'), queue.sizeOf('c')]).toEqual([2, 1, 0])
    queue.take()
    expect(queue.push('a', 'a3')).toBe(true)
  })

  it('keeps its reserve for preferred items', () => {
    const queue = new FairQueue<string, string>({ total: 3, perParty: 3, reserve: 1 })
    expect(['a', 'b', 'c'].map((party) => queue.push(party, party))).toEqual([true, true, false])
    expect(queue.push('c', 'c', true)).toBe(true)
    expect(queue.push('d', 'd', true)).toBe(false)
  })

  it('skips a blocked party until it is released', () => {
    const queue = new FairQueue<string, string>({ total: 10, perParty: 10 })
    queue.hold('a')
    for (const item of ['a1', 'b1', 'a2', 'b2']) queue.push(item.charAt(0), item)
    expect(drained(queue)).toEqual(['b1', 'b2'])
    queue.release('a')
    queue.push('b', 'b3')
    expect(drained(queue)).toEqual(['a1', 'b3', 'a2'])
  })

  it('never exceeds its bounds, loses nothing, and preserves the turns of waiting parties', () => {
    const parties = ['a', 'b', 'c', 'd']
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.record({ push: fc.constantFrom(...parties), preferred: fc.boolean() }) },
      { weight: 3, arbitrary: fc.constant('take' as const) },
      { weight: 1, arbitrary: fc.record({ hold: fc.constantFrom(...parties) }) },
      { weight: 1, arbitrary: fc.record({ release: fc.constantFrom(...parties) }) },
    )
    const limits = fc.record({
      total: fc.integer({ min: 1, max: 12 }),
      perParty: fc.integer({ min: 1, max: 6 }),
      reserve: fc.integer({ min: 0, max: 3 }),
    })
    fc.assert(
      fc.property(limits, fc.array(step, { maxLength: 200 }), ({ total, perParty, reserve }, steps) => {
        const queue = new FairQueue<string, { party: string; number: number }>({ total, perParty, reserve })
        const waiting = new Map(parties.map((party) => [party, [] as number[]]))
        const held = new Set<string>()
        // Turns that others had since a party had one, while it waited and was not held back.
        const passed = new Map(parties.map((party) => [party, new Map<string, number>()]))
        const of = (party: string): number[] => waiting.get(party) ?? []
        const size = (): number => parties.reduce((sum, party) => sum + of(party).length, 0)
        for (const [number, one] of steps.entries()) {
          if (one === 'take') {
            const item = queue.take()
            const ready = parties.filter((party) => of(party).length > 0 && !held.has(party))
            if (item === undefined) {
              expect(ready).toEqual([])
              continue
            }
            expect(ready).toContain(item.party)
            expect(of(item.party).shift()).toBe(item.number)
            passed.get(item.party)?.clear()
            for (const other of ready.filter((party) => party !== item.party)) {
              const turns = (passed.get(other)?.get(item.party) ?? 0) + 1
              passed.get(other)?.set(item.party, turns)
              expect(turns).toBe(1)
            }
          } else if ('push' in one) {
            const isRoom = of(one.push).length < perParty && size() < (one.preferred ? total : total - reserve)
            expect(queue.push(one.push, { party: one.push, number }, one.preferred)).toBe(isRoom)
            if (isRoom) of(one.push).push(number)
          } else if ('hold' in one) {
            held.add(one.hold)
            passed.get(one.hold)?.clear()
            queue.hold(one.hold)
          } else {
            held.delete(one.release)
            passed.get(one.release)?.clear()
            queue.release(one.release)
          }
          expect(queue.size).toBe(size())
          for (const party of parties) expect(queue.sizeOf(party)).toBe(of(party).length)
        }
      }),
    )
  })
})
