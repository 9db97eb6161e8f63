/** Small worlds explored completely, the checks of the exploration itself, and liveness from what it reaches. */
import { describe, expect, it } from 'vitest'
import {
  COMPLETE_WORLDS,
  compareModes,
  Exploration,
  faultOfOptions,
  heal,
  MergeCheck,
  namedWorld,
  replay,
  textOfTrace,
  traceOf,
  traceRecord,
  walk,
} from '../../src/simulation/explore/index.js'
import { SUITE, slice } from '../suites.mjs'

/** Fewest states of each world: fewer mean that the exploration lost some. */
const LEAST_STATES: Readonly<Record<string, number>> = {
  one: 100,
  two: 5_000,
  three: 150_000,
  four: 350_000,
  'four-faulty-first': 650_000,
  'four-faulty-second': 400_000,
  'two-late': 100,
  'three-late': 60_000,
  'three-signer': 200_000,
  'two-statuses': 1_000,
  'two-behind': 7_000,
  'one-joins': 100,
  'two-joins': 200_000,
  'two-leaves': 100,
  'four-faulty-heights': 120_000,
  'four-faulty-late': 2_300_000,
  'four-loses-votes': 32_000,
}
const SHORT = ['one', 'two', 'two-late', 'two-leaves']
const worlds = COMPLETE_WORLDS.filter(({ name }) => SUITE === 'all' || SHORT.includes(name))
/** States of each world that are healed: 2,000 and more over all of them. */
const HEALED = slice(25, 500)
/** States whose traces are replayed. */
const REPLAYED = slice(10, 100)
const WALKS = 1_000

describe('a small world', () => {
  it.each(worlds.map((world) => [world.name, world] as const))(
    'is explored completely without a violation, and commits from every state: %s',
    (name, world) => {
      const exploration = new Exploration(world)
      const merged = new MergeCheck(exploration)
      while (exploration.advance(10_000));
      const { violation, states } = exploration
      expect(violation && textOfTrace(traceOf(exploration, violation)).join('\n')).toBeUndefined()
      expect(exploration.isComplete).toBe(true)
      expect(states.size).toBeGreaterThanOrEqual(LEAST_STATES[name] ?? Number.POSITIVE_INFINITY)
      expect(merged.difference).toBeUndefined()
      // Without the votes of a faulty member and of one that abstains there is no quorum.
      const canCommit = world.faulty === undefined || world.loser === undefined
      if (canCommit) expect(heal(exploration, { samples: HEALED, messages: 'lost' }).late).toBeUndefined()
      for (let count = 0; count < REPLAYED; count++) {
        const state = Math.floor((states.size - 1) * (count / REPLAYED))
        const trace = traceOf(exploration, { text: '', state, last: undefined })
        expect(replay(trace).violation, textOfTrace(trace).join('\n')).toBeUndefined()
      }
    },
  )
})

describe('a restart', () => {
  it.each(['one', 'two', 'three'].slice(0, slice(2, 3)))(
    'loses no view, whichever records survive the restart, in the world %s without timers',
    (name) => {
      const exploration = new Exploration({ ...namedWorld(name), views: 0 })
      while (exploration.advance(10_000));
      expect(exploration.isComplete).toBe(true)
      const { late, states } = heal(exploration, { samples: exploration.states.size, messages: 'delivered' })
      expect(late).toBeUndefined()
      expect(states).toBe(exploration.states.size)
    },
  )
})

describe('the reduced mode', () => {
  const plain = { crashes: 0, split: false }

  it('reaches the same states as the mode with single messages, in a world of two', () => {
    const { checked, difference } = compareModes({ ...namedWorld('two'), ...plain, views: slice(0, 1) })
    expect(difference).toBeUndefined()
    expect(checked).toBeGreaterThan(slice(5, 100))
  })

  it.each([
    ['two-late', {}],
    ['three-late', {}],
    ['two', { ...plain, views: 0, heights: 2 }],
  ])('reaches the same states as the mode with single messages, in the world %s with %j', (name, more) => {
    const { checked, difference } = compareModes({ ...namedWorld(name), ...more })
    expect(difference).toBeUndefined()
    expect(checked).toBeGreaterThan(5)
  })

  if (SUITE === 'all') {
    it.each(['three', 'four'])(
      'contains every state that random walks with single messages reach, in the world %s',
      (name) => {
        const { checked, difference } = walk({ ...namedWorld(name), ...plain }, WALKS)
        expect(difference).toBeUndefined()
        expect(checked).toBeGreaterThan(100)
      },
    )
  }
})

describe('a trace', () => {
  const exploration = new Exploration(namedWorld('one'))
  while (exploration.advance(1_000));
  const trace = traceOf(exploration, { text: 'none', state: exploration.states.size - 1, last: undefined })

  it('round-trips through JSON', () => {
    const decoded = traceRecord.parseJson(JSON.stringify(traceRecord.toJson(trace)))
    expect(decoded).toMatchObject({ ok: true, value: { world: { name: 'one' }, violation: 'none' } })
  })

  it('is refused if the file is truncated', () => {
    const text = JSON.stringify(traceRecord.toJson(trace))
    expect(traceRecord.parseJson(text.slice(0, -20))).toMatchObject({ ok: false, fault: { code: 'malformed_json' } })
  })

  it('has one action per line, and ends with the violation', () => {
    const lines = textOfTrace(trace)
    expect(lines).toHaveLength(trace.steps.length + 1)
    expect(lines.at(-1)).toBe('none')
  })
})

describe('options of a world', () => {
  it.each([
    [{ faulty: 4 }, 'member 4 does not exist: there are 4 members'],
    [{ members: 3, faulty: 0 }, 'a faulty member needs at least 4 members'],
    [{ statuses: true }, 'statuses and a node that is behind need the full mode'],
    [
      { statuses: true, mode: 'full' as const, faulty: 0 },
      'statuses and a node that is behind need correct members only',
    ],
    [{ change: 'leave' as const }, 'a changed roster needs the full mode'],
    [{ loser: 4 }, 'node 4 does not exist: there are 4 members'],
    [{ loser: 1, mode: 'full' as const }, 'a node that loses its records needs the reduced mode'],
    [{ loser: 1, faulty: 1 }, 'the faulty member loses no records'],
    [{ loser: 1, signer: true }, 'a node whose signer keeps a record does not abstain'],
    [{ opening: 'hidden' as const }, 'the opening needs a faulty member that does not propose view 0'],
    [{}, undefined],
  ])('are refused if invalid: %j', (change, fault) => {
    expect(faultOfOptions({ ...namedWorld('four'), ...change })).toBe(fault)
  })
})
