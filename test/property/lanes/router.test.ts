// Holds the router against a second one, written from docs/design/lanes.md 6 alone, over random catalogues and transactions.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  type Dataspace,
  type Lane,
  type RouteFacts,
  type RoutingPolicy,
  routeTransaction,
} from '../../../src/lanes/index.js'
import { dataspaceOf, factsOf, laneOf, policyOf, routeState, ruleOf } from '../../unit/lanes/support.js'

const RUNS = Number(process.env.CAUSEWAY_LANE_RUNS ?? 3_000)

interface World {
  readonly lanes: readonly Lane[]
  readonly dataspaces: readonly Dataspace[]
  readonly policy: RoutingPolicy
  readonly homes: Readonly<Record<string, string>>
  readonly domains: Readonly<Record<string, bigint>>
  readonly tokens: ReadonlySet<string>
}

/** The second router: each stage yields an answer or nothing, and the first answer is judged at the end. */
function second(world: World, facts: RouteFacts): string {
  const home = world.homes[facts.authority]
  const spaceOf = (domain: string | undefined) => (domain === undefined ? 0n : (world.domains[domain] ?? 0n))
  const spaces = [...new Set(facts.domains.map((domain) => spaceOf(domain ?? home)))]
  const lone = spaces.length === 1 && spaces[0] !== 0n ? spaces[0] : undefined
  const scope = facts.hint === undefined ? lone : facts.hint
  const permitted = (space: Dataspace) =>
    !space.restricted || spaceOf(home) === space.id || world.tokens.has(`${facts.authority} ${space.id}`)
  const fits = (rule: RoutingPolicy['rules'][number]) => {
    const { account, instruction } = rule
    const accountText =
      account === undefined ||
      (account.kind === 'account' ? account.value === facts.authority : home !== undefined && account.value === home)
    const what =
      instruction === undefined || facts.labels.some((label) => [label, ...label.split('::')].includes(instruction))
    return accountText && what
  }
  const decide = (id: number, bound: bigint | undefined): string => {
    const lane = world.lanes.find((one) => one.id === id)
    if (lane === undefined) return 'unknown_lane'
    if (lane.state === 'retired') return 'lane_retired'
    const space = world.dataspaces.find((one) => one.id === lane.dataspace)
    if (space === undefined) return 'unknown_dataspace'
    if (bound !== undefined && bound !== space.id) return 'lane_dataspace_mismatch'
    return permitted(space) ? `${id}/${space.id}` : 'dataspace_not_permitted'
  }
  if (scope !== undefined) {
    const space = world.dataspaces.find((one) => one.id === scope)
    if (space === undefined) return 'unknown_dataspace'
    if (!permitted(space)) return 'dataspace_not_permitted'
    for (const rule of world.policy.rules) if (rule.scope === scope && fits(rule)) return decide(rule.lane, scope)
    if (facts.hint !== undefined) return 'no_scoped_rule'
  }
  const active = world.lanes.filter((lane) => lane.state === 'active').map((lane) => lane.id)
  const settling = (unit: string) =>
    world.lanes.filter((lane) => active.includes(lane.id) && lane.settlement.includes(unit))
  const chosen = facts.settles.flatMap((unit) => {
    const candidates = settling(unit).length > 0 ? settling(unit) : settling('*')
    return candidates.length === 0 ? [] : [Math.min(...candidates.map((lane) => lane.id))]
  })
  if (new Set(chosen).size > 1) return 'mixed_settlement'
  if (chosen[0] !== undefined) return decide(chosen[0], undefined)
  const unscoped = world.policy.rules.filter((rule) => rule.scope === undefined)
  const byAccount = unscoped.filter((rule) => rule.instruction === undefined).find(fits)
  if (byAccount !== undefined) return decide(byAccount.lane, undefined)
  const explicit = unscoped.filter((rule) => rule.instruction !== undefined).find(fits)
  return decide(explicit?.lane ?? world.policy.defaultLane, undefined)
}

const ACCOUNTS = ['ada', 'bob', 'cy']
const DOMAINS = ['a', 'b', 'c']
const LABELS = ['asset::transfer', 'asset::mint', 'account::register', 'settlement::dvp']
const UNITS = ['x#a', 'y#b', 'z#c']
const laneId = fc.integer({ min: 0, max: 5 })
const space = fc.constantFrom(0n, 7n, 8n, 9n)
const some = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 })

const world: fc.Arbitrary<World> = fc.record({
  lanes: fc.uniqueArray(
    fc
      .record({
        id: laneId,
        dataspace: fc.oneof(fc.constant(0n), space),
        settlement: fc.uniqueArray(fc.constantFrom(...UNITS, '*'), { maxLength: 2 }),
        state: fc.constantFrom('active' as const, 'active' as const, 'retired' as const),
      })
      .map(({ id, ...more }) => laneOf(id, more)),
    { selector: (lane) => lane.id, minLength: 3, maxLength: 6 },
  ),
  dataspaces: fc.uniqueArray(
    fc.tuple(space, fc.boolean()).map(([id, closed]) => dataspaceOf(id, { restricted: closed && id !== 0n })),
    { selector: (one) => one.id, minLength: 3, maxLength: 4 },
  ),
  policy: fc
    .tuple(
      fc.array(
        fc
          .record({
            lane: laneId,
            scope: some(space),
            account: some(
              fc.oneof(
                fc.constantFrom(...ACCOUNTS).map((value) => ({ kind: 'account' as const, value })),
                fc.constantFrom(...DOMAINS).map((value) => ({ kind: 'domain' as const, value })),
              ),
            ),
            instruction: some(fc.constantFrom('transfer', 'asset', 'asset::mint', 'register', 'dvp')),
          })
          .map(({ lane, ...more }) => ruleOf(lane, more)),
        { maxLength: 6 },
      ),
      laneId,
    )
    .map(([rules, defaultLane]) => policyOf(rules, defaultLane)),
  homes: fc.dictionary(fc.constantFrom(...ACCOUNTS), fc.constantFrom(...DOMAINS)),
  domains: fc.dictionary(fc.constantFrom(...DOMAINS), space),
  tokens: fc
    .uniqueArray(fc.tuple(fc.constantFrom(...ACCOUNTS), space))
    .map((all) => new Set(all.map((one) => one.join(' ')))),
})
const facts: fc.Arbitrary<RouteFacts> = fc
  .record({
    authority: fc.constantFrom(...ACCOUNTS),
    hint: some(space),
    domains: fc.uniqueArray(some(fc.constantFrom(...DOMAINS)), { minLength: 1 }),
    labels: fc.uniqueArray(fc.constantFrom(...LABELS)),
    settles: fc.uniqueArray(fc.constantFrom(...UNITS)),
  })
  .map(({ authority, ...more }) => factsOf(authority, more))

it('two routers agree on every transaction under every policy', () => {
  const seen = new Map<string, number>()
  fc.assert(
    fc.property(world, facts, (one, asked) => {
      const route = routeTransaction(asked, routeState(one))
      const text = route.kind === 'routed' ? `${route.value.lane}/${route.value.dataspace}` : route.value.fault
      const stage = `${route.value.stage} ${route.kind === 'routed' ? 'routed' : text}`
      seen.set(stage, (seen.get(stage) ?? 0) + 1)
      expect(text).toBe(second(one, asked))
    }),
    { numRuns: RUNS },
  )
  // Every stage decides, and every fault occurs: a generator that misses one proves nothing about it.
  const words = [...seen.keys()].join(' ')
  for (const word of ['scope routed', 'settlement routed', 'account routed', 'explicit routed', 'default routed']) {
    expect(words).toContain(word)
  }
  for (const fault of [
    'unknown_lane',
    'unknown_dataspace',
    'lane_dataspace_mismatch',
    'lane_retired',
    'dataspace_not_permitted',
    'no_scoped_rule',
    'mixed_settlement',
  ]) {
    expect(words).toContain(fault)
  }
})
