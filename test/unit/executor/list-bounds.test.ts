/** Every list and map inside a row of the state is driven to its bound, or its instruction's decoder is: an error or the oldest leaving, never a throw. */

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { pascalCase } from '../../../src/codec/index.js'
import { faultBudget } from '../../../src/consensus/index.js'
import { createPop } from '../../../src/crypto/bls-pop.js'
import { generateKeyPair } from '../../../src/crypto/index.js'
import { disableKey } from '../../../src/executor/consensus-keys.js'
import {
  addKey,
  CALENDAR_DUES_MAX,
  earliestDue,
  keyOfPeer,
  peers,
  SINGLETON_KEY,
  SYSTEM_TABLES,
  scheduleHeight,
  TIMERS_PER_ACCOUNT_MAX,
  TRIGGERS_PER_LIST_MAX,
} from '../../../src/executor/index.js'
import {
  addPeer,
  advanceSchedule,
  changeRoster,
  recordFailures,
  recordSigners,
} from '../../../src/executor/membership.js'
import { failures, lastSigned, PEERS_MAX, peerList, ROSTER_STARTS_MAX } from '../../../src/executor/tables.js'
import { ABI_1, NEWEST_ABI } from '../../../src/features/abi.js'
import { instructions as assets } from '../../../src/features/assets/schema/instructions.js'
import { instructions as parameters } from '../../../src/features/parameters/schema.js'
import { instructions as peerInstructions } from '../../../src/features/peers/schema.js'
import { instructions as upgrades } from '../../../src/features/upgrades/schema.js'
import { activateLanes, laneServices, recordService, stageLanes } from '../../../src/lanes/index.js'
import {
  type AccountId,
  BLS_KEY_BYTES,
  type ErrorCode,
  type Instruction,
  instruction,
  keyString,
  LANE_MAX,
  METADATA_MAX_KEYS,
  multisigAccount,
  type Peer,
  ROLES_MAX,
  ROSTER_MAX,
  TOKENS_MAX,
} from '../../../src/model/index.js'
import { EMPTY_ROWS, Overlay, ROW_MAX_BYTES, type TableDef, tableIdOf } from '../../../src/state/index.js'
import { Blocks, entry } from '../../support/blocks.js'
import { codec } from '../../support/chain.js'
import * as core from '../../support/core.js'
import { declaredBounds, itemsAt, stepsOf } from '../../support/declared-lists.js'
import { accountNamed, type Bench } from '../../support/executor.js'
import { laneSpecOf, updateLanes } from '../../support/lanes.js'
import { seeded } from '../../support/seeded.js'
import { laneOf } from '../lanes/support.js'

const { alice, owner } = core
const TABLES: readonly TableDef<unknown, unknown>[] = [
  ...SYSTEM_TABLES,
  ...ABI_1.features.flatMap((feature) => feature.tables),
]
const BOUNDS = TABLES.flatMap((table) => declaredBounds(table.name, table.value).map((one) => ({ ...one, table })))
const boundOf = (path: string) => {
  const found = BOUNDS.find((one) => one.path === path)
  if (found === undefined) throw new Error(`no record declares ${path}`)
  return found
}

/** Most items that any row of the state has there. Every row encodes on the way. */
function mostAt(state: Overlay, path: string): number {
  const { table } = boundOf(path)
  let most = 0
  for (const change of state.changes()) {
    if (change.value === undefined) continue
    expect(change.table.value.encode(change.value, codec).length, change.table.name).toBeLessThanOrEqual(ROW_MAX_BYTES)
    if (tableIdOf(change.row) === table.id) most = Math.max(most, ...itemsAt(change.value, stepsOf(path)))
  }
  return most
}
const expectFull = (state: Overlay, ...paths: readonly string[]): void => {
  for (const path of paths) expect(mostAt(state, path), path).toBe(boundOf(path).items)
}

const SEED = Buffer.alloc(32, 3)
const POP = Buffer.alloc(96)
const CERTIFICATE = {
  phase: 'commit' as const,
  view: 0,
  blockHash: Buffer.alloc(32),
  committeeHash: Buffer.alloc(32),
  aggregate: Buffer.alloc(96),
}
/** Consensus key without a known secret. */
const keyOf = (number: number): string => keyString(Buffer.from(String(number).padStart(BLS_KEY_BYTES, '0')))
const peerOf = (number: number, role: Peer['role'] = 'validator'): Peer => ({
  key: keyOf(number),
  pop: POP,
  networkKey: keyString(Buffer.from(String(number).padStart(32, '0'))),
  addresses: [],
  role,
})
/** A state with so many validators, and observers up to a number of peers. */
function networkOf(validators: number, count: number): Overlay {
  const state = new Overlay(EMPTY_ROWS)
  for (let index = 0; index < count; index += 1) {
    addPeer(state, peerOf(index, index < validators ? 'validator' : 'observer'), 1, 1)
  }
  expect(state.get(peers, keyOf(0))).toBeDefined()
  for (const height of [1, 2, 3]) scheduleHeight(seeded(state, SEED), height)
  return state
}
function codesOf(blocks: Blocks, entries: readonly ReturnType<typeof entry>[]) {
  const run = blocks.run(10 * blocks.height, ...entries)
  return { codes: run.results.map((_, index) => run.rejections.get(index)?.code) }
}
const timerAt = (id: string, authority: AccountId, startMs: number): Instruction =>
  core.registerTrigger(id, authority, core.every(startMs, 1_000), [core.log('x')])
const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))
const long = (index: number): string => String(index).padStart(3, '0').padEnd(120, 'x')
const timer = (id: string, authority: AccountId): Instruction =>
  core.registerTrigger(id, authority, core.every(1_000, 1_000), [core.log('x')])
const KINDS = [...(ABI_1.eventSubjects.get('asset')?.keys() ?? [])].slice(0, 16)

/** Lists that instructions fill until the next one is refused. */
interface Filling {
  /** The lists that are full then. */
  readonly lists: readonly string[]
  readonly by: AccountId
  readonly prepare?: (bench: Bench) => void
  readonly fill: readonly Instruction[]
  readonly more: Instruction
  readonly code: ErrorCode
}
const FILLINGS: readonly (readonly [string, Filling])[] = [
  [
    'permissions of an account',
    {
      lists: ['tokens'],
      by: owner,
      prepare: (bench) => bench.genesis(owner, ...many(TOKENS_MAX + 1, (index) => core.registerDomain(long(index)))),
      fill: many(TOKENS_MAX, (index) => core.permission('grant', 'CanRegisterAssetDefinition', long(index), core.bob)),
      more: core.permission('grant', 'CanRegisterAssetDefinition', long(TOKENS_MAX), core.bob),
      code: 'too_many_tokens',
    },
  ],
  [
    'permissions of a role',
    {
      lists: ['roles.tokens'],
      by: owner,
      prepare: (bench) => {
        bench.genesis(owner, ...many(TOKENS_MAX + 1, (index) => core.registerDomain(long(index))))
        bench.genesis(owner, core.permission('grant', 'CanManageRoles', undefined, owner))
        bench.genesis(owner, core.registerRole(long(0), [], [owner, alice, core.bob, core.agent, core.outsider]))
      },
      fill: many(TOKENS_MAX, (index) =>
        core.rolePermission('grant', 'CanRegisterAssetDefinition', long(index), long(0)),
      ),
      more: core.rolePermission('grant', 'CanRegisterAssetDefinition', long(TOKENS_MAX), long(0)),
      code: 'too_many_tokens',
    },
  ],
  [
    'roles of an account',
    {
      lists: ['account_roles'],
      by: owner,
      prepare: (bench) => {
        bench.genesis(owner, core.permission('grant', 'CanManageRoles', undefined, owner))
        bench.genesis(owner, ...many(ROLES_MAX + 1, (index) => core.registerRole(long(index))))
      },
      fill: many(ROLES_MAX, (index) => core.roleOf('grant', long(index), core.bob)),
      more: core.roleOf('grant', long(ROLES_MAX), core.bob),
      code: 'too_many_roles',
    },
  ],
  [
    'the triggers of one event',
    {
      lists: ['trigger_lists'],
      by: alice,
      fill: many(TRIGGERS_PER_LIST_MAX, (index) =>
        core.registerTrigger(long(index), alice, core.onData('asset', undefined, KINDS), [core.log('x')]),
      ),
      more: core.registerTrigger('more', alice, core.onData('asset'), [core.log('x')]),
      code: 'too_many_triggers',
    },
  ],
  [
    'the triggers at the end of a block',
    {
      lists: [],
      by: alice,
      fill: many(8, (index) =>
        core.registerTrigger(long(index), alice, { kind: 'preCommit', value: undefined }, [core.log('x')]),
      ),
      more: core.registerTrigger('more', alice, { kind: 'preCommit', value: undefined }, [core.log('x')]),
      code: 'too_many_triggers',
    },
  ],
  [
    'the time triggers of an account',
    {
      lists: [],
      by: alice,
      fill: many(TIMERS_PER_ACCOUNT_MAX, (index) => timer(long(index), alice)),
      more: timer('more', alice),
      code: 'too_many_triggers',
    },
  ],
  [
    'the calendar, which 48 accounts fill together',
    {
      lists: ['calendar_pages'],
      by: alice,
      prepare: (bench) => {
        for (let account = 0; account < CALENDAR_DUES_MAX / TIMERS_PER_ACCOUNT_MAX; account++) {
          const id = accountNamed(`timer ${account}`)
          bench.genesis(owner, core.registerAccount(id))
          for (let index = 0; index < TIMERS_PER_ACCOUNT_MAX; index++) {
            expect(bench.run(id, timer(`${account}.${index}`.padEnd(120, 'x'), id))).toBeUndefined()
          }
        }
      },
      fill: [],
      more: timer('more', alice),
      code: 'too_many_triggers',
    },
  ],
  [
    'the open proposals of an account',
    {
      lists: ['proposal_lists.open'],
      by: alice,
      fill: many(64, (index) => core.propose(core.pair, core.log(`${index}`))),
      more: core.propose(core.pair, core.log('more')),
      code: 'too_many_proposals',
    },
  ],
]

describe.each(FILLINGS)('%s', (_name, { lists, by, prepare, fill, more, code }) => {
  it('can be filled up to the limit, one more item is refused, and no row exceeds its size limit', () => {
    const bench = core.smallWorld()
    prepare?.(bench)
    for (const instruction of fill) expect(bench.run(by, instruction), bench.last?.rejection?.message).toBeUndefined()
    expect(bench.run(by, more)).toBe(code)
    expectFull(bench.state, ...lists)
  })
})

/** Lists that hooks and instructions fill, driven to their bound; what comes then is expected in here. */
const DRIVEN: Readonly<Record<string, () => void | Promise<void>>> = {
  'parameters.staged': () => {
    const bench = core.smallWorld()
    bench.genesis(owner, core.permission('grant', 'CanSetParameters', undefined, owner))
    const blocks = new Blocks(bench)
    for (let block = 0; block < 8; block += 1) {
      const change = (value: number): Instruction =>
        instruction(parameters.setParameter, { name: 'block_time_ms', value })
      const { codes } = codesOf(blocks, [entry(owner, [change(20 + block), change(30 + block)])])
      expect(codes).toEqual([undefined])
      // Two heights can wait at most: a block decides for the one two on.
      expect(mostAt(bench.state, 'parameters.staged')).toBeLessThanOrEqual(2)
    }
  },
  'failures last_signed': () => {
    const state = networkOf(ROSTER_MAX, PEERS_MAX)
    const all = state.get(peerList, SINGLETON_KEY) ?? []
    state.set(failures, SINGLETON_KEY, new Map(all.map((peer) => [peer, 9])))
    state.set(lastSigned, SINGLETON_KEY, new Map(all.map((peer) => [peer, 1])))
    for (const height of [10, 11]) {
      scheduleHeight(seeded(state, SEED), height)
      recordFailures(state, { height, originView: 20 }, undefined, SEED)
    }
    const bitmap = Buffer.alloc(ROSTER_MAX / 8, 0xff)
    recordSigners(state, { ...CERTIFICATE, height: 11, bitmap }, SEED)
    expectFull(state, 'failures', 'last_signed')
  },
  'schedule.demoted rosters.roster rosters.rotated': () => {
    const state = networkOf(ROSTER_MAX, ROSTER_MAX)
    const all = state.get(peerList, SINGLETON_KEY) ?? []
    for (const [index, peer] of all.entries()) {
      addKey(state, { key: keyOf(1_000 + index), peer, pop: POP }, 4, 2)
    }
    state.set(failures, SINGLETON_KEY, new Map(all.map((peer) => [peer, 9])))
    for (const height of [10, 11, 12]) scheduleHeight(seeded(state, SEED), height)
    expectFull(state, 'rosters.roster', 'rosters.rotated')
    expect(mostAt(state, 'schedule.demoted')).toBe(faultBudget(ROSTER_MAX))
    // Also while one of them has no key: it comes back without a question.
    const [first = ''] = all
    expect(changeRoster(state, 12, () => disableKey(state, keyOf(1_000), 14), { force: true })).toBeUndefined()
    addKey(state, { key: keyOf(2_000), peer: first, pop: POP }, 20, 12)
    const join = (): void => addPeer(state, peerOf(5_000), 13, 15)
    expect(changeRoster(state, 13, join, { force: true })).toBe('membership_cap')
  },
  roster_starts: () => {
    const state = networkOf(1, 1)
    const [peer = ''] = state.get(peerList, SINGLETON_KEY) ?? []
    for (let height = 2; height < 2 + ROSTER_STARTS_MAX + 50; height += 1) {
      addKey(state, { key: keyOf(10_000 + height), peer, pop: POP }, height + 2, height)
      advanceSchedule(state, height)
    }
    expect(mostAt(state, 'roster_starts')).toBeLessThanOrEqual(ROSTER_STARTS_MAX)
    expect(mostAt(state, 'roster_starts')).toBeGreaterThan(ROSTER_STARTS_MAX - 5)
  },
  peer_keys: async () => {
    const bench = core.smallWorld()
    const [member, other] = [peerOf(1), peerOf(2)]
    for (const peer of [member, other]) addPeer(bench.state, peer, 1, 1)
    for (const height of [1, 2, 3]) scheduleHeight(seeded(bench.state, SEED), height)
    bench.genesis(owner, core.permission('grant', 'CanManageConsensusKeys', undefined, owner))
    for (let round = 0; round < 12; round += 1) {
      const pair = await generateKeyPair('bls', Buffer.from(`round ${round}`))
      const newKey = keyString(pair.publicKey.bytes)
      const value = { peer: member.key, newKey, pop: createPop(pair.secret), activeFrom: bench.height + 1_000 }
      expect(bench.run(owner, instruction(peerInstructions.rotateConsensusKey, value))).toBeUndefined()
      expect(
        bench.run(owner, instruction(peerInstructions.disableConsensusKey, { key: newKey, force: false })),
      ).toBeUndefined()
      bench.height += 1
    }
    // Keys that never will act leave; the one that acts is not pushed out by them.
    expect(mostAt(bench.state, 'peer_keys')).toBeLessThanOrEqual(3)
    expect(keyOfPeer(bench.state, member.key, bench.height + 2)).toBe(member.key)
  },
  'lane_catalog.current lane_catalog.staged lane_catalog.staged[].value lane_service': () => {
    const state = new Overlay(EMPTY_ROWS)
    const all = Array.from({ length: LANE_MAX + 1 }, (_, id) => laneOf(id, { state: id < 60 ? 'active' : 'retired' }))
    stageLanes(state, all, undefined)
    for (let height = 2; height < 8; height += 1) {
      activateLanes(state, height)
      stageLanes(
        state,
        all.map((lane) => ({ ...lane, alias: `lane-${lane.id}-${height}` })),
        height + 2,
      )
      recordService(
        state,
        height,
        all.map((lane) => lane.id),
      )
      expect(state.get(laneServices, SINGLETON_KEY)?.size).toBe(LANE_MAX + 1)
    }
    expectFull(state, 'lane_catalog.current', 'lane_catalog.staged', 'lane_catalog.staged[].value', 'lane_service')
    const bench = core.smallWorld()
    bench.genesis(owner, core.permission('grant', 'CanManageLanes', undefined, owner))
    expect(bench.run(owner, updateLanes({ add: [laneSpecOf(LANE_MAX)] }))).toBeUndefined()
    expect(bench.run(owner, updateLanes({ add: [laneSpecOf(LANE_MAX + 1)] }))).toBe('lane_limit')
  },
  metadata_keys: () => {
    const bench = core.smallWorld()
    const self = { kind: 'account', value: alice } as const
    for (let index = 0; index < METADATA_MAX_KEYS; index += 1) {
      expect(bench.run(alice, core.setKey(self, long(index), index))).toBeUndefined()
    }
    expect(bench.run(alice, core.setKey(self, 'more', 1))).toBe('metadata_limit')
    expectFull(bench.state, 'metadata_keys')
  },
  'controls.limits controls.usage': () => {
    const bench = core.smallWorld()
    const caps = (['day', 'week', 'month'] as const).map((window) => ({ window, cap: core.units(50n) }))
    bench.genesis(owner, instruction(assets.setLimits, { asset: core.balance(alice), limits: caps }))
    for (let day = 1; day < 40; day += 1) {
      bench.timeMs = day * 86_400_000
      bench.run(alice, core.transfer(alice, core.bob, 1n))
    }
    expectFull(bench.state, 'controls.limits', 'controls.usage')
  },
  'proposal_lists.closed': () => {
    const bench = core.smallWorld()
    const alone = core.policyOf([[alice, 1]], 1)
    bench.genesis(owner, core.registerMultisig(alone))
    for (let index = 0; index < 70; index += 1) {
      expect(bench.run(alice, core.propose(multisigAccount(alone), core.log(`${index}`)))).toBeUndefined()
    }
    expectFull(bench.state, 'proposal_lists.closed')
  },
  upgrades: () => {
    const bench = core.smallWorld()
    bench.genesis(owner, core.permission('grant', 'CanManageRuntimeUpgrades', undefined, owner))
    const { items = 0 } = boundOf('upgrades')
    const planned = (index: number): Instruction => {
      const startHeight = 100 + 10 * index
      const name = long(index)
      const abi = { abiVersion: 2, abiHash: Buffer.alloc(32, 1), startHeight, endHeight: startHeight + 10 }
      return instruction(upgrades.proposeUpgrade, { manifest: { name, description: 'x'.repeat(1_024), ...abi } })
    }
    for (let index = 0; index < items; index += 1) expect(bench.run(owner, planned(index))).toBeUndefined()
    expectFull(bench.state, 'upgrades')
    expect(bench.run(owner, planned(items))).toBe('too_many_proposals')
    // The first window has passed: it makes room.
    bench.height = 110
    expect(bench.run(owner, planned(items))).toBeUndefined()
    expectFull(bench.state, 'upgrades')
  },
  'calendar.pages': () => {
    const bench = core.smallWorld()
    const accounts = many(CALENDAR_DUES_MAX / TIMERS_PER_ACCOUNT_MAX, (index) => accountNamed(`timer ${index}`))
    for (const [place, id] of accounts.entries()) {
      bench.genesis(owner, core.registerAccount(id))
      for (let index = 0; index < TIMERS_PER_ACCOUNT_MAX; index += 1) {
        // All over the year, so that pages split in the middle.
        const startMs = 1_000 + (((place * 64 + index) * 7_919) % 100_003)
        expect(bench.run(id, timerAt(`${place}.${index}`.padEnd(120, 'x'), id, startMs))).toBeUndefined()
      }
    }
    const blocks = new Blocks(bench)
    let pages = mostAt(bench.state, 'calendar.pages')
    for (let block = 0; block < 24; block += 1) {
      blocks.view = block % 4 === 3 ? 3 : 0
      blocks.run(200_000 + block * 3_000)
      pages = Math.max(pages, mostAt(bench.state, 'calendar.pages'))
    }
    expect(pages).toBeGreaterThan(CALENDAR_DUES_MAX / 64)
    expect(pages).toBeLessThanOrEqual(boundOf('calendar.pages').items ?? 0)
    expect(earliestDue(bench.state)).toBeDefined()
  },
}

/** Lists that come whole out of one instruction: its decoder has the same bound. */
const DECODED: Readonly<Record<string, string>> = {
  'peers.addresses': 'registerPeer',
  'lanes.settlement': 'updateLanes',
  'lanes.metadata': 'updateLanes',
  'dataspace_catalog.current': 'setDataspaces',
  'dataspace_catalog.staged[].value': 'setDataspaces',
  'dataspaces.relayers': 'setDataspaces',
  'triggers.filter.data.events': 'registerTrigger',
  'trigger_lists[]': 'registerTrigger',
  'roles.managers': 'registerRole',
  'multisigs.members': 'registerMultisig',
  'iso_submitters.bics': 'setSubmitter',
  'iso_submitters.debtor.accounts': 'setSubmitter',
  'iso_submitters.limits': 'setSubmitter',
  'iso_claims.details.changes': 'claimMessage',
  iso_head_refusals: 'settlePayments',
  'iso_payments.details.changes': 'settlePayments',
}

/** Lists whose bound has a test where their rules are tested. */
const ELSEWHERE: Readonly<Record<string, readonly [file: string, test: string]>> = {
  peer_list: ['executor/membership', 'refuses another peer at its limit, and no record grows further'],
  fault_heights: ['executor/evidence', 'is recorded a bounded number of times per window, independent of others'],
  due_pages: ['executor/due-runs', 'use another page when one is full, and leave no pages behind'],
  'proposals.approvals': ['executor/multisig', 'keeps the approvals of former members until the list is full'],
  'dataspace_catalog.staged': [
    'lanes/catalogue-rows',
    'at most two heights have pending changes of dataspaces or of the policy',
  ],
  'routing_policy.staged': [
    'lanes/catalogue-rows',
    'at most two heights have pending changes of dataspaces or of the policy',
  ],
  'routing_policy.current': [
    'lanes/catalogue-rows',
    'is split into parts if it has the longest rules, and is read back unchanged',
  ],
  'routing_policy.staged[].value': [
    'lanes/catalogue-rows',
    'is split into parts if it has the longest rules, and is read back unchanged',
  ],
  'routing_policy_pages.rules': [
    'lanes/catalogue-rows',
    'is split into parts if it has the longest rules, and is read back unchanged',
  ],
}

/** Numbers of few bits that something counts or computes, and why they fit; all others come out of a decoder with the same bits. */
const NUMBERS: Readonly<Record<string, string>> = {
  'due_runs.page': 'pages of a minute: 64 runs each, 2,048 of an owner, so 4,294,967,295 pages need 134 million owners',
  'due_runs.failures': 'at three it leaves',
  due_minutes: 'pages of a minute, as above',
  due_owners: 'checked: 2,048',
  'faults.recordedView': 'originView of a header: u32',
  'lane_service[].place': 'place among the transactions of a block: block_max_transactions',
  'metadata_keys[]': 'bytes of a name and a value: 64 KiB',
  'triggers.instructionBytes': 'checked by listToStore: 128 KiB',
  'triggers.instructionWeight': 'of 128 KiB: two for each byte at most',
  'triggers.repeats': 'only counted down',
  'triggers.failures': 'at three the trigger is off',
  'triggers.pause.strikes': 'counted to 255',
  'calendar.pages[].page': 'the least number that is free among 64',
  'calendar.pages[].count': 'a page holds 64',
  'routing_policy_pages.page': 'two parts',
  'routing_policy.current[].id': 'two parts',
  'routing_policy.staged[].value[].id': 'two parts',
  'proposals.instructionBytes': 'checked by listToStore: 128 KiB',
  'proposals.instructionWeight': 'of 128 KiB: two for each byte at most',
  'admission_count.inBlock': 'checked against maxPerBlock: u32',
  'admission_count.inTransaction': 'checked against maxPerTx: u32',
  'iso_heads.settled': 'payments of a message: 1,000',
  'iso_heads.rejected': 'payments of a message: 1,000',
  'iso_heads.refused': 'payments of a message: 1,000',
  'iso_payments.code': 'number of an error of the ABI: u16',
}
/** Numbers as a record from outside has them. */
const FROM_OUTSIDE =
  /^(faults\.record|faults\.view|lanes\.|lane_catalog|lane_service\[\]$|dataspaces\.|routing_policy_pages\.(defaultLane|rules)|trigger_lists|definitions\.scale|multisigs\.|admissions\.|relay_accepted)/

describe('lists inside rows', () => {
  it('have a tested bound, and a new list fails this test until it is added here', () => {
    const named = [
      ...FILLINGS.flatMap(([, { lists }]) => lists),
      ...Object.keys(DRIVEN).flatMap((paths) => paths.split(' ')),
      ...Object.keys(DECODED),
      ...Object.keys(ELSEWHERE),
    ]
    expect([...new Set(named)].sort()).toEqual(
      BOUNDS.flatMap((one) => (one.items === undefined ? [] : one.path)).sort(),
    )
  })

  it.each(Object.entries(DRIVEN))('cannot exceed their bound: %s', async (_paths, drive) => {
    await drive()
  })

  it.each(Object.entries(DECODED))('are bounded by the decoder of their instruction: %s', (path, kind) => {
    const { type } = boundOf(path)
    const def = NEWEST_ABI.instructions.get(kind)
    const bounds = def === undefined ? [] : declaredBounds(pascalCase(kind), def.schema)
    expect(bounds.map((one) => one.type.replace(/^(list|map)\(.*, /, '$1(…, '))).toContain(
      type.replace(/^(list|map)\(.*, /, '$1(…, '),
    )
  })

  it.each(Object.entries(ELSEWHERE))('have a test in the test file of their feature: %s', (_path, [file, title]) => {
    expect(readFileSync(new URL(`../${file}.test.ts`, import.meta.url), 'utf8')).toContain(`it('${title}'`)
  })
})

it('every small number inside a row has a test at its maximum', () => {
  const numbers = BOUNDS.flatMap((one) => (one.items === undefined ? one.path : []))
  const unnamed = numbers.filter((path) => !FROM_OUTSIDE.test(path) && NUMBERS[path] === undefined)
  expect(unnamed).toEqual([])
  expect(Object.keys(NUMBERS).filter((path) => !numbers.includes(path))).toEqual([])
})
