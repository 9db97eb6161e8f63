// Checks the instructions 31 to 33: who may, what is refused, from which height they act.

import { beforeEach, describe, expect, it } from 'vitest'
import { instructions as accounts } from '../../../src/features/accounts/schema.js'
import { instructions as domains } from '../../../src/features/domains/schema.js'
import { instructions as lanes } from '../../../src/features/lanes/schema/instructions.js'
import { instructions as permissions } from '../../../src/features/permissions/schema.js'
import {
  activateLanes,
  type DataspaceSpec,
  dataspacesAt,
  type LaneSpec,
  lanesAt,
  policyAt,
} from '../../../src/lanes/index.js'
import { type Instruction, instruction, NO_METADATA } from '../../../src/model/index.js'
import { accountNamed, Bench } from '../../support/executor.js'
import { dataspaceOf, laneOf, ruleOf } from './support.js'

const manager = accountNamed('manager')
const outsider = accountNamed('stranger')

const laneSpecOf = (id: number, more: Partial<LaneSpec> = {}): LaneSpec => {
  const { state: _state, ...spec } = laneOf(id, more)
  return spec
}
const dataspaceSpecOf = (id: bigint, more: Partial<DataspaceSpec> = {}): DataspaceSpec => {
  const { incarnation: _incarnation, ...spec } = dataspaceOf(id, more)
  return spec
}
const update = (change: {
  add?: readonly LaneSpec[]
  retire?: readonly number[]
  relabel?: readonly { lane: number; alias: string }[]
}): Instruction => instruction(lanes.updateLanes, { add: [], retire: [], relabel: [], ...change })
const policy = (version: number, rules: readonly ReturnType<typeof ruleOf>[] = [], defaultLane = 0): Instruction =>
  instruction(lanes.setRoutingPolicy, { policy: { version, defaultLane, rules } })
const dataspaces = (...all: readonly DataspaceSpec[]): Instruction =>
  instruction(lanes.setDataspaces, { dataspaces: all })
const grantTo = (name: string, to: string, object?: string): Instruction =>
  instruction(permissions.grant, {
    subject: { kind: 'permission', value: { name, object } },
    to: { kind: 'account', value: to },
  })
const domain = (id: string, dataspace?: bigint): Instruction =>
  instruction(domains.registerDomain, { id, dataspace, metadata: NO_METADATA })
const account = (id: string): Instruction =>
  instruction(accounts.registerAccount, { id, domain: 'home', label: undefined, metadata: NO_METADATA })

let bench: Bench
const asManager = (...instructions: readonly Instruction[]) => bench.run(manager, ...instructions)

beforeEach(() => {
  bench = new Bench()
  bench.genesis(manager, domain('home'), account(manager), account(outsider), grantTo('CanManageLanes', manager))
})

/** Goes on to the block of a height, which begins by making due changes current. */
function atHeight(height: number): void {
  bench.height = height
  activateLanes(bench.state, height)
}

describe('permissions for lanes, dataspaces and the routing policy', () => {
  const changes: readonly (readonly [string, Instruction])[] = [
    ['UpdateLanes', update({ add: [laneSpecOf(1)] })],
    ['SetRoutingPolicy', policy(1)],
    ['SetDataspaces', dataspaces(dataspaceSpecOf(0n), dataspaceSpecOf(7n))],
  ]
  it.each(changes)('%s is limited to holders of CanManageLanes, directly or by a role', (_name, change) => {
    expect(bench.run(outsider, change)).toBe('not_permitted')
    bench.genesis(
      manager,
      instruction(permissions.registerRole, {
        id: 'lanes',
        permissions: [{ name: 'CanManageLanes', object: undefined }],
        managers: [],
      }),
      instruction(permissions.grant, {
        subject: { kind: 'role', value: 'lanes' },
        to: { kind: 'account', value: outsider },
      }),
    )
    expect(bench.run(outsider, change)).toBeUndefined()
  })
})

describe('a change of lanes or of the policy', () => {
  it('takes effect two heights later, together with other pending changes', () => {
    atHeight(10)
    expect(asManager(update({ add: [laneSpecOf(1)] }))).toBeUndefined()
    atHeight(11)
    expect(
      asManager(update({ add: [laneSpecOf(2)] }), update({ relabel: [{ lane: 1, alias: 'first' }] })),
    ).toBeUndefined()
    const at = (height: number) => lanesAt(bench.state, height).map((lane) => `${lane.id} ${lane.alias}`)
    expect([at(11), at(12), at(13)]).toEqual([
      ['0 default'],
      ['0 default', '1 lane-1'],
      ['0 default', '1 first', '2 lane-2'],
    ])
    const before = at(13)
    for (const height of [12, 13, 14]) activateLanes(bench.state, height)
    expect(at(14)).toEqual(before)
    expect(at(2)).toEqual(before)
  })

  it('takes effect at once in genesis, and may configure lane 0', () => {
    bench.genesis(
      manager,
      update({ add: [laneSpecOf(0, { alias: 'main', teuCapacity: 9_000 }), laneSpecOf(5)] }),
      policy(1, [], 5),
    )
    expect(lanesAt(bench.state, 2).map((lane) => [lane.id, lane.alias, lane.teuCapacity])).toEqual([
      [0, 'main', 9_000],
      [5, 'lane-5', 0],
    ])
    expect(policyAt(bench.state, 2).defaultLane).toBe(5)
  })

  it('emits an event with the change and its height', () => {
    atHeight(20)
    asManager(update({ add: [laneSpecOf(3)], relabel: [{ lane: 0, alias: 'main' }] }), policy(1))
    expect(bench.events.slice(-2)).toEqual([
      { kind: 'lanesChanged', value: { added: [3], retired: [], relabelled: [0], fromHeight: 22 } },
      { kind: 'routingPolicyChanged', value: { version: 1, fromHeight: 22 } },
    ])
  })
})

describe('lanes', () => {
  it.each([
    ['no changes', update({}), 'bad_parameter'],
    ['a number above 999', update({ add: [laneSpecOf(1_000)] }), 'lane_limit'],
    ['a number in use', update({ add: [laneSpecOf(0)] }), 'exists'],
    ['an alias in use', update({ add: [laneSpecOf(1, { alias: 'default' })] }), 'exists'],
    ['a duplicate definition', update({ add: [laneSpecOf(1, { settlement: ['*', '*'] })] }), 'exists'],
    ['an unknown dataspace', update({ add: [laneSpecOf(1, { dataspace: 7n })] }), 'absent'],
    [
      'large metadata',
      update({ add: [laneSpecOf(1, { metadata: new Map([['a', 'x'.repeat(5_000)]]) })] }),
      'metadata_limit',
    ],
    ['an unknown lane to relabel', update({ relabel: [{ lane: 4, alias: 'x' }] }), 'absent'],
    [
      'a lane to relabel twice',
      update({
        relabel: [
          { lane: 0, alias: 'x' },
          { lane: 0, alias: 'y' },
        ],
      }),
      'exists',
    ],
    ['an unknown lane to retire', update({ retire: [4] }), 'absent'],
    ['lane 0 to retire', update({ retire: [0] }), 'lane_in_use'],
  ] as const)('with %s are refused', (_what, change, code) => expect(asManager(change)).toBe(code))

  it('are limited to 64 active ones', () => {
    const many = Array.from({ length: 63 }, (_, at) => laneSpecOf(at + 1))
    expect(asManager(update({ add: many }))).toBeUndefined()
    expect(asManager(update({ add: [laneSpecOf(64)] }))).toBe('lane_limit')
    expect(asManager(update({ retire: [63], add: [laneSpecOf(64)] }))).toBeUndefined()
  })

  it('can exchange aliases in one instruction, and release them on retirement', () => {
    asManager(update({ add: [laneSpecOf(1), laneSpecOf(2)] }))
    expect(asManager(update({ relabel: [{ lane: 1, alias: 'lane-2' }] }))).toBe('exists')
    const swap = [
      { lane: 1, alias: 'lane-2' },
      { lane: 2, alias: 'lane-1' },
    ]
    expect(asManager(update({ relabel: swap }))).toBeUndefined()
    expect(asManager(update({ retire: [1] }), update({ add: [laneSpecOf(9, { alias: 'lane-2' })] }))).toBeUndefined()
    expect(asManager(update({ add: [laneSpecOf(1, { alias: 'again' })] }))).toBe('exists')
    expect(asManager(update({ retire: [1] }))).toBe('absent')
  })

  it('cannot be retired while the policy uses them', () => {
    asManager(update({ add: [laneSpecOf(1), laneSpecOf(2)] }))
    asManager(policy(1, [ruleOf(1, { instruction: 'transfer' })], 2))
    expect(asManager(update({ retire: [1] }))).toBe('lane_in_use')
    expect(asManager(update({ retire: [2] }))).toBe('lane_in_use')
    asManager(policy(2))
    expect(asManager(update({ retire: [1, 2] }))).toBeUndefined()
  })

  it('cannot be retired while they are the last of a dataspace with domains', () => {
    asManager(dataspaces(dataspaceSpecOf(0n), dataspaceSpecOf(7n)))
    asManager(update({ add: [laneSpecOf(1, { dataspace: 7n }), laneSpecOf(2, { dataspace: 7n })] }))
    atHeight(30)
    bench.genesis(manager, domain('bank', 7n))
    expect(asManager(update({ retire: [1, 2] }))).toBe('lane_in_use')
    expect(asManager(update({ retire: [1] }))).toBeUndefined()
    expect(asManager(update({ retire: [2] }))).toBe('lane_in_use')
    expect(bench.run(manager, instruction(domains.unregisterDomain, { id: 'bank' }))).toBeUndefined()
    expect(asManager(update({ retire: [2] }))).toBeUndefined()
  })
})

describe('a policy', () => {
  beforeEach(() => {
    asManager(dataspaces(dataspaceSpecOf(0n), dataspaceSpecOf(7n)))
    asManager(update({ add: [laneSpecOf(1, { dataspace: 7n }), laneSpecOf(2)] }), update({ retire: [2] }))
  })

  it.each([
    ['a version other than the next', policy(2)],
    ['an unknown default lane', policy(1, [], 9)],
    ['a retired default lane', policy(1, [], 2)],
    ['a rule for an unknown lane', policy(1, [ruleOf(9, { instruction: 'transfer' })])],
    ['a rule without a condition', policy(1, [ruleOf(0)])],
    ['an unknown scope', policy(1, [ruleOf(1, { scope: 8n })])],
    ['the scope of another lane', policy(1, [ruleOf(0, { scope: 7n })])],
  ])('with %s is refused', (_what, change) => expect(asManager(change)).toBe('bad_routing_policy'))

  it('must have the next version number', () => {
    expect(asManager(policy(1, [ruleOf(1, { scope: 7n })]), policy(2))).toBeUndefined()
    expect(asManager(policy(2))).toBe('bad_routing_policy')
  })
})

describe('dataspaces', () => {
  it.each([
    ['without the universal one', dataspaces(dataspaceSpecOf(7n)), 'dataspace_in_use'],
    ['with a restricted universal one', dataspaces(dataspaceSpecOf(0n, { restricted: true })), 'dataspace_in_use'],
    ['with a duplicate number', dataspaces(dataspaceSpecOf(0n), dataspaceSpecOf(0n, { alias: 'x' })), 'exists'],
    [
      'with a duplicate alias',
      dataspaces(dataspaceSpecOf(0n), dataspaceSpecOf(7n, { alias: 'dataspace-0' })),
      'exists',
    ],
    ['that tolerate no fault', dataspaces(dataspaceSpecOf(0n, { faultTolerance: 0 })), 'bad_parameter'],
    [
      'whose relay committee is larger than a roster',
      dataspaces(dataspaceSpecOf(0n, { faultTolerance: 43 })),
      'bad_parameter',
    ],
    [
      'with a duplicate relayer',
      dataspaces(dataspaceSpecOf(0n, { relayers: ['a'.repeat(48), 'a'.repeat(48)] })),
      'exists',
    ],
  ] as const)('%s are refused', (_what, change, code) => expect(asManager(change)).toBe(code))

  it('cannot be removed while lanes, domains or rules use them', () => {
    const both = dataspaces(dataspaceSpecOf(0n), dataspaceSpecOf(7n))
    const one = dataspaces(dataspaceSpecOf(0n))
    asManager(both)
    asManager(update({ add: [laneSpecOf(1, { dataspace: 7n })] }), policy(1, [ruleOf(1, { scope: 7n })]))
    expect(asManager(one)).toBe('dataspace_in_use')
    asManager(policy(2), update({ retire: [1] }))
    atHeight(40)
    expect(asManager(update({ add: [laneSpecOf(2, { dataspace: 7n })] }))).toBeUndefined()
    atHeight(42)
    bench.genesis(manager, domain('bank', 7n))
    expect(asManager(one)).toBe('dataspace_in_use')
    asManager(instruction(domains.unregisterDomain, { id: 'bank' }), update({ retire: [2] }))
    expect(asManager(one)).toBeUndefined()
  })

  it('can have domains only once they are in effect', () => {
    atHeight(50)
    asManager(dataspaces(dataspaceSpecOf(0n), dataspaceSpecOf(7n)), update({ add: [laneSpecOf(1, { dataspace: 7n })] }))
    bench.genesis(manager, grantTo('CanRegisterDomain', manager))
    expect(asManager(domain('bank', 7n))).toBe('absent')
    atHeight(52)
    expect(asManager(domain('bank', 7n))).toBeUndefined()
  })

  it('accept no domain after the removal of the dataspace or of its last lane was decided', () => {
    const lane = (id: number) => laneSpecOf(id, { dataspace: 7n })
    bench.genesis(manager, grantTo('CanRegisterDomain', manager), dataspaces(dataspaceSpecOf(0n), dataspaceSpecOf(7n)))
    expect(asManager(domain('bank', 7n))).toBe('absent')
    bench.genesis(manager, update({ add: [lane(1), lane(2)] }))
    atHeight(60)
    expect(asManager(update({ retire: [1] }))).toBeUndefined()
    expect(asManager(domain('bank', 7n), instruction(domains.unregisterDomain, { id: 'bank' }))).toBeUndefined()
    expect(asManager(update({ retire: [2] }))).toBeUndefined()
    for (bench.height = 60; bench.height < 63; bench.height++) expect(asManager(domain('bank', 7n))).toBe('absent')
    // A lane that is to come is none yet; a dataspace that is to go is none any more.
    atHeight(70)
    expect(asManager(update({ add: [lane(3)] }))).toBeUndefined()
    expect(asManager(domain('bank', 7n))).toBe('absent')
    atHeight(72)
    expect(asManager(update({ retire: [3] }), dataspaces(dataspaceSpecOf(0n)))).toBeUndefined()
    for (bench.height = 72; bench.height < 75; bench.height++) expect(asManager(domain('bank', 7n))).toBe('absent')
  })

  it('invalidate their tokens on removal, even if the number is reused', () => {
    const both = dataspaces(dataspaceSpecOf(0n), dataspaceSpecOf(7n))
    const one = dataspaces(dataspaceSpecOf(0n))
    asManager(both)
    const first = dataspacesAt(bench.state, 9).find((each) => each.id === 7n)?.incarnation
    expect(bench.run(outsider, grantTo('CanUseDataspace', outsider, '7'))).toBe('not_permitted')
    expect(asManager(grantTo('CanUseDataspace', outsider, '8'))).toBe('absent')
    expect(asManager(grantTo('CanUseDataspace', outsider, '7'))).toBeUndefined()
    expect(asManager(grantTo('CanUseDataspace', outsider, '7'))).toBe('exists')
    asManager(both)
    expect(dataspacesAt(bench.state, 9).find((each) => each.id === 7n)?.incarnation).toEqual(first)
    asManager(one, both)
    expect(dataspacesAt(bench.state, 9).find((each) => each.id === 7n)?.incarnation).not.toEqual(first)
    expect(asManager(grantTo('CanUseDataspace', outsider, '7'))).toBeUndefined()
  })
})
