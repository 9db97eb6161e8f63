/** Every table of the state says what bounds it, its declaration keeps its rows small, and what fills it meets the bound. */
import { describe, expect, it } from 'vitest'
import { pascalCase } from '../../../src/codec/index.js'
import { metadataValues, SYSTEM_TABLES, TIMERS_PER_ACCOUNT_MAX, triggerLists } from '../../../src/executor/index.js'
import { CALENDAR_DUES_MAX, TRIGGERS_PER_LIST_MAX } from '../../../src/executor/triggers/index.js'
import { ABI_1 } from '../../../src/features/index.js'
import {
  type AccountId,
  type ErrorCode,
  type Instruction,
  METADATA_VALUE_MAX_BYTES,
  ROLES_MAX,
  TOKENS_MAX,
} from '../../../src/model/index.js'
import { ROW_MAX_BYTES, type TableDef } from '../../../src/state/index.js'
import { codec } from '../../support/chain.js'
import * as core from '../../support/core.js'
import { accountNamed, type Bench } from '../../support/executor.js'

const TABLES = [...SYSTEM_TABLES, ...ABI_1.features.flatMap((feature) => feature.tables)] as readonly TableDef<
  never,
  unknown
>[]
/** Longest key of a row, in bytes: the name of a trigger list. */
const KEY_MAX_BYTES = 512
/** Largest encoding of a parameter: it is one row with the heights that wait. */
const PARAMETER_MAX_BYTES = 16 * 1024

describe.each(TABLES.map((table) => [table.name, table] as const))('the table %s', (_name, { key, value, bound }) => {
  it('has no row above 32 KiB, whatever is in it', () => {
    expect(value.maxSize).toBeLessThanOrEqual(ROW_MAX_BYTES)
    expect(key.maxSize).toBeLessThanOrEqual(KEY_MAX_BYTES)
  })

  it('names what fills it and what happens at its bound by words that exist', () => {
    const instructions = new Set([...ABI_1.instructions.keys()].map(pascalCase))
    for (const [word] of bound.filledBy.matchAll(/\b[A-Z][a-z]+(?:[A-Z][a-z]*)+\b/g)) {
      expect(instructions, word).toContain(word)
    }
    for (const [, code] of bound.atBound.matchAll(/`([a-z_]+)`/g)) {
      expect([...ABI_1.errorNames.values()]).toContain(code as ErrorCode)
    }
    expect(bound.holds.length).toBeGreaterThan(0)
  })
})

it('a value of metadata has 16 KiB and its length', () => {
  expect(metadataValues.value.maxSize).toBe(METADATA_VALUE_MAX_BYTES + 3)
})

it('every parameter fits its row, now and staged', () => {
  for (const { name, schema } of ABI_1.parameters) {
    expect(schema.maxSize, name).toBeLessThanOrEqual(PARAMETER_MAX_BYTES)
  }
})

const { alice, owner } = core
const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))
const long = (index: number): string => String(index).padStart(3, '0').padEnd(120, 'x')
const timer = (id: string, authority: AccountId): Instruction =>
  core.registerTrigger(id, authority, core.every(1_000, 1_000), [core.log('x')])
const KINDS = [...(ABI_1.eventFamilies.get('asset')?.keys() ?? [])].slice(0, 16)

interface Filling {
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
      by: owner,
      prepare: (bench) => {
        bench.genesis(owner, ...many(TOKENS_MAX + 1, (index) => core.registerDomain(long(index))))
        bench.genesis(owner, core.permission('grant', 'CanManageRoles', undefined, owner))
        bench.genesis(owner, core.registerRole(long(0), [], [owner, alice, core.bob, core.agent, core.stranger]))
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
      by: alice,
      fill: many(TIMERS_PER_ACCOUNT_MAX, (index) => timer(long(index), alice)),
      more: timer('more', alice),
      code: 'too_many_triggers',
    },
  ],
  [
    'the calendar, which 48 accounts fill together',
    {
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
      by: alice,
      fill: many(64, (index) => core.propose(core.pair, core.log(`${index}`))),
      more: core.propose(core.pair, core.log('more')),
      code: 'too_many_proposals',
    },
  ],
]

describe.each(FILLINGS)('%s', (_name, { by, prepare, fill, more, code }) => {
  it('fill to their bound: one more is refused, and no row has grown beyond its own', () => {
    const bench = core.smallWorld()
    prepare?.(bench)
    for (const instruction of fill) expect(bench.run(by, instruction), bench.last?.rejection?.message).toBeUndefined()
    expect(bench.run(by, more)).toBe(code)
    for (const { table, value } of bench.state.changes()) {
      if (value === undefined) continue
      expect(table.value.encode(value, codec).length, table.name).toBeLessThanOrEqual(ROW_MAX_BYTES)
    }
  })
})

it('a trigger that is switched on again names its events by their numbers again', () => {
  const bench = core.smallWorld()
  bench.genesis(
    alice,
    core.registerTrigger('watch', alice, core.onData('asset', undefined, ['minted']), [core.log('x')]),
  )
  const wanted = () => bench.state.get(triggerLists, 'asset *')?.get('watch')
  const number = ABI_1.events.get('minted')?.id
  expect(wanted()).toEqual([number])
  expect(bench.run(alice, core.changeRepeats('watch', undefined, false))).toBeUndefined()
  expect(wanted()).toBeUndefined()
  expect(bench.run(alice, core.changeRepeats('watch', undefined, true))).toBeUndefined()
  expect(wanted()).toEqual([number])
})
