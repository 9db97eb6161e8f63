/** Rows stay small: metadata, content and stored instructions lie apart from the objects they belong to, and go with them. */

import { beforeEach, describe, expect, it } from 'vitest'
import type { Json } from '../../../src/codec/index.js'
import {
  metadataBytes,
  metadataKeys,
  metadataOf,
  metadataValues,
  storedList,
  type Trigger,
  triggerPages,
  triggers,
} from '../../../src/executor/index.js'
import { instructions as accounts } from '../../../src/features/accounts/schema.js'
import { instructions as assets } from '../../../src/features/assets/schema/instructions.js'
import { instructions as domains } from '../../../src/features/domains/schema.js'
import { instructions as triggerInstructions } from '../../../src/features/triggers/schema.js'
import { proposalPages, proposals } from '../../../src/ledger/multisig-tables.js'
import {
  type Instruction,
  instruction,
  METADATA_MAX_BYTES,
  METADATA_MAX_KEYS,
  type Metadata,
  NO_METADATA,
  STORED_INSTRUCTIONS_MAX_BYTES,
  storedInstructions,
  type Target,
} from '../../../src/model/index.js'
import { ROW_MAX_BYTES, tableIdOf } from '../../../src/state/index.js'
import { codec } from '../../support/chain.js'
import * as core from '../../support/core.js'
import { accountNamed, Bench } from '../../support/executor.js'

const { alice, bob, owner, pair } = core

let bench: Bench
beforeEach(() => {
  bench = core.smallWorld()
})

/** Four values that fill the metadata of an object to its last byte. */
function full(): Map<string, Json> {
  const values = new Map<string, Json>()
  const nameAndLengths = 2 + 2 + 2
  for (const key of ['a', 'b', 'c', 'd']) values.set(key, 'x'.repeat(METADATA_MAX_BYTES / 4 - nameAndLengths))
  return values
}
const newcomer = accountNamed('newcomer')
interface Case {
  readonly object: Target
  readonly register: (metadata: Metadata) => Instruction
  readonly remove: Instruction
  /** Something that changes the object and not its metadata. */
  readonly touch: Instruction
}
const CASES: readonly Case[] = [
  {
    object: { kind: 'domain', value: 'fat' },
    register: (metadata) => instruction(domains.registerDomain, { id: 'fat', dataspace: undefined, metadata }),
    remove: core.unregister('Domain', 'fat'),
    touch: core.passOn('domain', 'fat', bob),
  },
  {
    object: { kind: 'account', value: newcomer },
    register: (metadata) =>
      instruction(accounts.registerAccount, { id: newcomer, domain: 'bank', label: undefined, metadata }),
    remove: core.unregister('Account', newcomer),
    touch: instruction(accounts.setLabel, { account: newcomer, label: 'fat' }),
  },
  {
    object: { kind: 'definition', value: 'fat#bank' },
    register: (metadata) =>
      instruction(assets.registerAssetDefinition, {
        id: 'fat#bank',
        scale: 0,
        mintable: { kind: 'infinitely', value: undefined },
        metadata,
      }),
    remove: core.unregister('AssetDefinition', 'fat#bank'),
    touch: core.passOn('definition', 'fat#bank', bob),
  },
  {
    object: { kind: 'nft', value: 'fat$bank' },
    register: (content) => core.registerNft('fat$bank', content),
    remove: core.unregister('Nft', 'fat$bank'),
    touch: core.passOn('nft', 'fat$bank', bob),
  },
  {
    object: { kind: 'trigger', value: 'fat' },
    register: (metadata) =>
      instruction(triggerInstructions.registerTrigger, {
        id: 'fat',
        authority: alice,
        filter: core.BY_CALL,
        instructions: [core.log('x')],
        repeats: undefined,
        metadata,
      }),
    remove: core.unregister('Trigger', 'fat'),
    touch: core.changeRepeats('fat', 3),
  },
]

/** Rows that a transaction writes on top of what there is, by table. */
function written(...instructions: readonly Instruction[]): number[] {
  const next = new Bench(bench.state)
  next.genesis(owner, ...instructions)
  return next.state.changes().map(({ row }) => tableIdOf(row))
}
const isMetadata = (table: number): boolean => table === metadataKeys.id || table === metadataValues.id
/** Rows that are there. */
const live = (id: number): number =>
  bench.state.changes().filter(({ row, value }) => tableIdOf(row) === id && value !== undefined).length
const expectSmallRows = (): void => {
  for (const { table, value } of bench.state.changes()) {
    if (value === undefined) continue
    expect(table.value.encode(value, codec).length, table.name).toBeLessThanOrEqual(ROW_MAX_BYTES)
  }
}

describe.each(CASES)('metadata of a $object.kind', ({ object, register, remove, touch }) => {
  it('can fill its size limit in separate rows, but not exceed it', () => {
    bench.genesis(owner, register(full()))
    expect(metadataBytes(bench.state, object)).toBe(METADATA_MAX_BYTES)
    expect(metadataOf(bench.state, object)).toEqual(full())
    expectSmallRows()
    expect(() => bench.genesis(owner, core.setKey(object, 'e', 0))).toThrow('metadata_limit')
    expect(() => bench.genesis(owner, core.setKey(object, 'a', 'x'.repeat(METADATA_MAX_BYTES / 4 - 5)))).toThrow(
      'metadata_limit',
    )
    bench.genesis(owner, core.removeKey(object, 'd'), core.setKey(object, 'e', 0))
  })

  it('is rejected at registration if it has too many bytes or keys', () => {
    expect(() => bench.genesis(owner, register(full().set('e', 0)))).toThrow('metadata_limit')
    const keys = new Map(Array.from({ length: METADATA_MAX_KEYS + 1 }, (_, index) => [`k${index}`, 0] as const))
    expect(() => bench.genesis(owner, register(keys))).toThrow('metadata_limit')
    keys.delete('k0')
    bench.genesis(owner, register(keys))
    expect(() => bench.genesis(owner, core.setKey(object, 'k0', 0))).toThrow('metadata_limit')
    bench.genesis(owner, core.setKey(object, 'k1', 1))
  })

  it('is not read by changes of the object', () => {
    bench.genesis(owner, register(full()))
    const tables = written(touch)
    expect(tables.length).toBeGreaterThan(0)
    expect(tables.some(isMetadata)).toBe(false)
  })

  it('is removed with the object, and a later object with the same name has no metadata', () => {
    const before = [live(metadataKeys.id), live(metadataValues.id)]
    bench.genesis(owner, register(full()), remove)
    expect([live(metadataKeys.id), live(metadataValues.id)]).toEqual(before)
    bench.genesis(owner, register(NO_METADATA))
    expect(metadataOf(bench.state, object).size).toBe(0)
  })
})

/** Instructions that take so many bytes together. */
function listOf(bytes: number): Instruction[] {
  const list: Instruction[] = []
  const sizeWith = (more: readonly Instruction[]): number => storedInstructions.encode([...list, ...more], codec).length
  const value = (size: number): Instruction => core.setKey({ kind: 'account', value: alice }, 'k', 'x'.repeat(size))
  while (sizeWith([value(10_000)]) + 200 < bytes) list.push(value(10_000))
  const rest = bytes - sizeWith([value(1_000)])
  list.push(value(1_000 + rest))
  expect(sizeWith([])).toBe(bytes)
  return list
}

describe('the instructions of a trigger', () => {
  const pages = Math.ceil(STORED_INSTRUCTIONS_MAX_BYTES / ROW_MAX_BYTES) + 1

  it('can fill their size limit, in pages that only a run reads', () => {
    const program = listOf(STORED_INSTRUCTIONS_MAX_BYTES)
    bench.genesis(alice, core.registerTrigger('fat', alice, core.BY_CALL, program))
    expect(bench.state.get(triggers, 'fat')?.instructionBytes).toBe(STORED_INSTRUCTIONS_MAX_BYTES)
    expect(live(triggerPages.id)).toBe(pages + 1)
    expectSmallRows()
    expect(written(core.changeRepeats('fat', 3))).toEqual([triggers.id])
    expect(bench.run(alice, core.callTrigger('fat'))).toBeUndefined()
    expect(metadataBytes(bench.state, { kind: 'account', value: alice })).toBeGreaterThan(0)
  })

  it('are rejected beyond their size limit', () => {
    const program = listOf(STORED_INSTRUCTIONS_MAX_BYTES + 1)
    expect(bench.run(alice, core.registerTrigger('fat', alice, core.BY_CALL, program))).toBe('instructions_limit')
  })

  it.each<[string, Instruction]>([
    ['when it is unregistered', core.unregister('Trigger', 'fat')],
    ['with its last run', core.callTrigger('fat')],
  ])('are removed %s', (_name, last) => {
    const before = live(triggerPages.id)
    bench.genesis(alice, core.registerTrigger('fat', alice, core.BY_CALL, listOf(60_000), 1))
    expect(live(triggerPages.id)).toBe(before + 2)
    expect(bench.run(alice, last)).toBeUndefined()
    expect(bench.state.has(triggers, 'fat')).toBe(false)
    expect(live(triggerPages.id)).toBe(before)
  })
})

it('a stored list is read once while its pages are cached, and again under another ABI', () => {
  bench.genesis(alice, core.registerTrigger('fat', alice, core.BY_CALL, listOf(60_000)))
  const source = { pages: triggerPages, of: 'fat', row: { instructionBytes: 60_000, instructionWeight: 0 }, codec }
  const read = storedList(bench.state, source)
  expect(read).toEqual(listOf(60_000))
  expect(storedList(bench.state, source)).toBe(read)
  const upgraded = { ...codec, registries: { ...codec.registries } }
  expect(storedList(bench.state, { ...source, codec: upgraded })).not.toBe(read)
  // Registered again under its name it is another list.
  bench.genesis(alice, core.unregister('Trigger', 'fat'))
  bench.genesis(alice, core.registerTrigger('fat', alice, core.BY_CALL, [core.log('y')]))
  const row = bench.state.get(triggers, 'fat') as Trigger
  expect(storedList(bench.state, { ...source, row })).toEqual([core.log('y')])
})

describe('the instructions of a proposal', () => {
  it('can fill their size limit in pages, and are rejected beyond it', () => {
    expect(bench.run(alice, core.propose(pair, ...listOf(STORED_INSTRUCTIONS_MAX_BYTES)))).toBeUndefined()
    expect(bench.run(alice, core.propose(pair, ...listOf(STORED_INSTRUCTIONS_MAX_BYTES + 1)))).toBe(
      'instructions_limit',
    )
    expectSmallRows()
    const proposal = core.lastProposal(bench.events)
    expect(bench.state.get(proposals, { account: pair, proposal })?.instructionBytes).toBe(
      STORED_INSTRUCTIONS_MAX_BYTES,
    )
  })

  it('are removed when 64 later proposals have closed', () => {
    for (let index = 0; index < 70; index++) {
      expect(bench.run(alice, core.propose(pair, core.log(`${index}`)))).toBeUndefined()
      expect(bench.run(alice, core.cancel(pair, core.lastProposal(bench.events)))).toBeUndefined()
    }
    expect([live(proposals.id), live(proposalPages.id)]).toEqual([64, 64])
  })

  it('are kept after a failed run, which also removes no closed proposal', () => {
    for (let index = 0; index < 64; index++) {
      expect(bench.run(alice, core.propose(pair, core.log(`${index}`)))).toBeUndefined()
      expect(bench.run(alice, core.cancel(pair, core.lastProposal(bench.events)))).toBeUndefined()
    }
    expect(bench.run(alice, core.propose(pair, core.transfer(pair, alice, 1n)))).toBeUndefined()
    const proposal = core.lastProposal(bench.events)
    expect(bench.run(bob, core.approve(pair, proposal))).toBeUndefined()
    expect(bench.eventKinds.at(-1)).toBe('proposalFailed')
    expect([live(proposals.id), live(proposalPages.id)]).toEqual([65, 65])
    bench.genesis(owner, core.mint(pair, 1n))
    expect(bench.run(bob, core.approve(pair, proposal))).toBeUndefined()
    expect(bench.eventKinds.at(-1)).toBe('proposalExecuted')
    expect([live(proposals.id), live(proposalPages.id)]).toEqual([64, 64])
  })
})
