/** Lanes, dataspaces and the policy lie in rows of their own: a change writes what changes, old versions leave, no row is large. */
import { beforeEach, describe, expect, it } from 'vitest'
import {
  activateLanes,
  dataspaceCatalogue,
  dataspaceRows,
  LANES_ACTIVE_MAX,
  type Lane,
  laneRows,
  lanesAt,
  latestLane,
  latestLanes,
  policyAt,
  policyPages,
  routesMark,
  routingPolicies,
  stageDataspaces,
  stageLanes,
  stagePolicy,
} from '../../../src/lanes/index.js'
import { EMPTY_ROWS, Overlay, ROW_MAX_BYTES, tableIdOf } from '../../../src/state/index.js'
import { codec } from '../../support/chain.js'
import { accountNamed } from '../../support/executor.js'
import { dataspaceOf, laneOf, policyOf, ruleOf } from './support.js'

let state: Overlay
beforeEach(() => {
  state = new Overlay(EMPTY_ROWS)
})

const live = (table: { readonly id: number }, of = state): number =>
  of.changes().filter(({ row, value }) => tableIdOf(row) === table.id && value !== undefined).length
const expectSmallRows = (): void => {
  for (const { table, value } of state.changes()) {
    if (value === undefined) continue
    expect(table.value.encode(value, codec).length, table.name).toBeLessThanOrEqual(ROW_MAX_BYTES)
  }
}
const definitionOf = (index: number): string => `${String(index).padEnd(128, 'x')}#${'d'.repeat(128)}`
const lanes = (count: number): Lane[] => Array.from({ length: count }, (_, id) => laneOf(id))

describe('a catalogue of lanes', () => {
  it('has no large row, even with the largest lanes', () => {
    const settlement = Array.from({ length: 64 }, (_, index) => definitionOf(index))
    const metadata = new Map([['note', 'x'.repeat(4_000)]])
    const all = lanes(LANES_ACTIVE_MAX).map((lane) => ({ ...lane, settlement, metadata }))
    const retired = Array.from({ length: 900 }, (_, index) => laneOf(100 + index, { state: 'retired' }))
    stageLanes(state, [...all, ...retired], undefined)
    stageLanes(state, [...all.map((lane) => ({ ...lane, alias: `${lane.alias}-a` })), ...retired], 3)
    stageLanes(state, [...all.map((lane) => ({ ...lane, alias: `${lane.alias}-b` })), ...retired], 4)
    expectSmallRows()
    expect(live(laneRows)).toBe(3 * LANES_ACTIVE_MAX + retired.length)
    expect(lanesAt(state, 4)[1]?.alias).toBe('lane-1-b')
  })

  it('writes only the row of a changed lane', () => {
    stageLanes(state, lanes(50), undefined)
    const next = new Overlay(state)
    const { lanes: before } = latestLanes(next)
    stageLanes(
      next,
      before.map((lane) => (lane.id === 7 ? { ...lane, alias: 'seven' } : { ...lane })),
      4,
    )
    expect(live(laneRows, next)).toBe(1)
    expect([lanesAt(next, 3)[7]?.alias, lanesAt(next, 4)[7]?.alias]).toEqual(['lane-7', 'seven'])
    expect(latestLane(next, 7)?.alias).toBe('seven')
    expect(latestLane(next, 99)).toBeUndefined()
  })

  it('removes versions that are no longer in effect', () => {
    stageLanes(state, lanes(3), undefined)
    for (let height = 2; height < 20; height++) {
      activateLanes(state, height)
      stageLanes(
        state,
        latestLanes(state).lanes.map((lane) => (lane.id === 1 ? { ...lane, alias: `at-${height}` } : lane)),
        height + 2,
      )
    }
    activateLanes(state, 20)
    expect(live(laneRows)).toBe(3 + 1)
    activateLanes(state, 21)
    expect(live(laneRows)).toBe(3)
    expect(lanesAt(state, 21).map((lane) => lane.alias)).toEqual(['lane-0', 'at-19', 'lane-2'])
  })

  it('keeps the current value until a first change takes effect', () => {
    stageLanes(state, [...latestLanes(state).lanes, laneOf(1)], 4)
    expect(lanesAt(state, 3).map((lane) => lane.id)).toEqual([0])
    expect(lanesAt(state, 4).map((lane) => lane.id)).toEqual([0, 1])
  })

  it('contains no row for an item that one block adds and removes', () => {
    stageDataspaces(state, [dataspaceOf(0n), dataspaceOf(5n)], 4)
    expect(live(dataspaceRows)).toBe(3)
    stageDataspaces(state, [dataspaceOf(0n)], 4)
    expect(live(dataspaceRows)).toBe(2)
  })
})

describe('a routing policy', () => {
  it('is split into parts if it has the longest rules, and is read back unchanged', () => {
    const rule = (lane: number) =>
      ruleOf(lane, {
        scope: 2n ** 64n - 1n,
        account: { kind: 'domain', value: 'd'.repeat(128) },
        instruction: 'i'.repeat(64),
      })
    const policy = policyOf(Array.from({ length: 256 }, (_, lane) => rule(lane)))
    stagePolicy(state, policy, undefined)
    expectSmallRows()
    expect(live(policyPages)).toBe(2)
    expect(policyAt(state, 2)).toEqual(policy)
    stagePolicy(state, policyOf([ruleOf(0, { account: { kind: 'account', value: accountNamed('a') } })]), 4)
    activateLanes(state, 4)
    expect(live(policyPages)).toBe(1)
  })
})

it('at most two heights have pending changes of dataspaces or of the policy', () => {
  for (let height = 2; height < 8; height += 1) {
    activateLanes(state, height)
    stageDataspaces(state, [dataspaceOf(0n), dataspaceOf(BigInt(height))], height + 2)
    stagePolicy(state, policyOf([ruleOf(height)]), height + 2)
    stagePolicy(state, policyOf([ruleOf(0), ruleOf(height)]), height + 2)
    expect(state.get(dataspaceCatalogue, '')?.staged.length).toBeLessThanOrEqual(2)
    expect(state.get(routingPolicies, '')?.staged.length).toBeLessThanOrEqual(2)
  }
})

it('the route marker is unchanged until a change takes effect', () => {
  stageLanes(state, lanes(3), undefined)
  const before = routesMark(state, 2)
  stageLanes(state, lanes(4), 4)
  expect(routesMark(state, 3)).toEqual(before)
  expect(routesMark(state, 4)).not.toEqual(before)
  const marked = routesMark(state, 4)
  activateLanes(state, 4)
  expect(routesMark(state, 4)).toEqual(marked)
})
