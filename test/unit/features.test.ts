import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { FeatureSchema } from '../../src/api/feature.js'
import { type Schema, u8 } from '../../src/codec/index.js'
import {
  type Abi,
  BLOCK_TEU,
  type Cost,
  composeAbi,
  costText,
  defineLedger,
  type Feature,
  type GenesisSection,
  hasRule,
  MAX_TEU_PER_TX,
  type Permission,
  type Rule,
  type Scheduled,
  TEU_PER_SIGNATURE,
  teuOf,
} from '../../src/executor/index.js'
import { ABI_1, ABIS, composeAbis, NEWEST_ABI, pinOf } from '../../src/features/abi.js'
import { ALL_FRAMES, clientCodec, FEATURE_SCHEMAS } from '../../src/features/composed.js'
import { RELAY_ENVELOPE_FRAME } from '../../src/features/lanes/schema/views.js'
import {
  answered,
  type Dated,
  defineEvents,
  defineInstructions,
  EVENT_REGISTRY,
  INSTRUCTION_REGISTRY,
  instruction,
  ROSTER_MAX,
} from '../../src/model/index.js'

/** Written by `npm run abi`. */
const PIN = fileURLToPath(new URL('../fixtures/newest-abi.json', import.meta.url))

const byId = <T extends { readonly id: number }>(items: readonly T[]): T[] => [...items].sort((a, b) => a.id - b.id)

/** Declarations of each feature of the ABI; those of the core in parts. */
const PARTS = new Map<string, readonly FeatureSchema[]>()
for (const part of FEATURE_SCHEMAS) {
  const { name, abi = name } = part
  PARTS.set(abi, [...(PARTS.get(abi) ?? []), part])
}

describe('the feature lists of clients and nodes', () => {
  it('name the same features in the same order', () => {
    // Services of nodes alone are on no chain.
    const onChains = [...PARTS].flatMap(([name, parts]) => (parts.some(({ ids }) => ids.length > 0) ? [name] : []))
    expect(onChains).toEqual(NEWEST_ABI.features.map((feature) => feature.name))
  })

  it('agree on every instruction and event: id, kind, label, schema', () => {
    for (const feature of NEWEST_ABI.features) {
      const parts = PARTS.get(feature.name) ?? []
      const instructions = parts.flatMap((part) => Object.values(part.instructions))
      const events = parts.flatMap((part) => Object.values(part.events))
      const identity = (def: { id: number; kind: string; schema: { hash: Buffer }; label?: string }) => [
        def.id,
        def.kind,
        def.label,
        def.schema.hash.toString('hex'),
      ]
      expect(byId(instructions).map(identity)).toEqual(byId(feature.instructions).map(identity))
      expect(byId(events).map(identity)).toEqual(byId(feature.events).map(identity))
    }
  })

  it('create the same registries for clients and nodes', () => {
    const node = NEWEST_ABI.codec('cw').registries
    const client = clientCodec('cw').registries
    for (const name of [INSTRUCTION_REGISTRY, EVENT_REGISTRY]) {
      const ids = (entries: readonly { id: number; kind: string }[] = []) =>
        byId(entries).map((one) => [one.id, one.kind])
      expect(ids(client?.[name]?.entries)).toEqual(ids(node?.[name]?.entries))
    }
  })

  it('assign a distinct id to every HTTP frame', () => {
    const ids = ALL_FRAMES.map(({ typeId }) => typeId)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toContain(RELAY_ENVELOPE_FRAME.typeId)
  })

  it('keep every id inside the range of its feature', () => {
    for (const feature of NEWEST_ABI.features) {
      const ranges = (PARTS.get(feature.name) ?? []).flatMap((part) => part.ids)
      const ids = [...feature.instructions, ...feature.events, ...feature.tables].map((def) => def.id)
      for (const id of ids) {
        expect(
          ranges.some(({ first, last }) => id >= first && id <= last),
          `${feature.name}: ${id}`,
        ).toBe(true)
      }
    }
  })
})

describe('the hash of an ABI', () => {
  const [core, ...others] = ABI_1.features as [Feature, ...Feature[]]
  const hashWith = (change: Partial<Feature>): string =>
    composeAbi(1, [{ ...core, ...change }, ...others]).hash.toString('hex')
  const own = ABI_1.hash.toString('hex')
  const instructions = (cost: (kind: string) => Cost<unknown> | undefined) =>
    core.instructions.map((def) => ({ ...def, cost: cost(def.kind) ?? def.cost }))

  it('is frozen by release 0.1.0: changes require a new ABI and an upgrade', () => {
    expect(hashWith({})).toBe(own)
    expect(own).toBe('974b283adad74d91cfc46bca8e79663f956624c79079d58b590ab00893c1a41d')
  })

  it('of the newest ABI matches its pin, which `npm run abi` writes', async () => {
    expect(pinOf(NEWEST_ABI)).toEqual(JSON.parse(await readFile(PIN, 'utf8')))
  })

  it('does not depend on the order of declarations', () => {
    const turned = [...ABI_1.features].reverse().map((feature) => ({
      ...feature,
      tables: [...feature.tables].reverse(),
      instructions: [...feature.instructions].reverse(),
      queries: [...feature.queries].reverse(),
      events: [...feature.events].reverse(),
      permissions: [...feature.permissions].reverse(),
      parameters: [...feature.parameters].reverse(),
      errors: Object.fromEntries(Object.entries(feature.errors).reverse()),
    }))
    expect(composeAbi(1, turned).hash.toString('hex')).toBe(own)
  })

  it('covers error numbers, which must be distinct across features', () => {
    expect(hashWith({ errors: { ...core.errors, bad_label: answered(199, 422, 6, '', '') } })).not.toBe(own)
    const taken = core.errors.bad_scale?.number ?? 0
    expect(() => hashWith({ errors: { ...core.errors, bad_label: answered(taken, 422, 6, '', '') } })).toThrow(
      'error code',
    )
    const twice = { ...core.errors, lane_limit: answered(199, 422, 6, '', '') }
    expect(() => hashWith({ errors: twice })).toThrow('error name')
  })

  it('covers the costs of instructions', () => {
    expect(hashWith({ instructions: instructions(() => ({ base: 1 })) })).not.toBe(own)
    expect(hashWith({ instructions: instructions((kind) => (kind === 'log' ? { base: 9 } : undefined)) })).not.toBe(own)
    const bytes = { base: 64, per: [{ teu: 1, item: '8 bytes of value', count: () => 1 }] }
    expect(hashWith({ instructions: instructions((kind) => (kind === 'setKeyValue' ? bytes : undefined)) })).not.toBe(
      own,
    )
  })

  it('covers the default values of parameters', () => {
    const parameters = core.parameters.map((def) => (def.name === 'fee_sponsorship' ? { ...def, fallback: true } : def))
    expect(core.parameters.find((def) => def.name === 'fee_sponsorship')?.fallback).toBe(false)
    expect(hashWith({ parameters })).not.toBe(own)
  })
})

describe('a declaration of a later ABI', () => {
  const since = 2
  const instructions = defineInstructions({
    note: { id: 290, label: 'note::write', record: u8, since },
    oldNote: { id: 291, label: 'note::old', record: u8 },
  })
  const item = { teu: 3, item: 'note', count: () => 1 }
  const run: Scheduled<unknown> = {
    kind: 'notes_run',
    key: u8 as Schema<unknown>,
    paidBy: 'chain',
    teu: 1,
    maxTeu: 1,
    run: () => undefined,
  }
  const permission: Permission = { name: 'CanNote' }
  const parameter = { name: 'note_bytes', schema: u8, fallback: 1, activationDelay: 1 } as const
  const rule: Rule = { text: 'notes are short', since }
  const execute = () => undefined
  const added = (dated: Dated): Feature =>
    defineLedger(
      {
        name: 'notes',
        version: 1,
        ids: [{ first: 290, last: 299 }],
        queries: {},
        events: defineEvents({ noted: { id: 290, record: u8, subject: 'note', ...dated } }),
        errors: { note_full: answered(290, 422, 6, '', '', dated) },
        instructions,
        parameters: [{ ...parameter, ...dated }],
      },
      {
        tables: [],
        execute: {
          note: { cost: { base: 1 }, execute },
          oldNote: { cost: { base: 1, per: [{ ...item, ...dated }] }, execute },
        },
        queries: {},
        permissions: [{ ...permission, ...dated }],
        scheduled: [{ ...run, ...dated }],
        endOfBlock: { maxTeu: 1, ...dated },
        rules: [rule],
      },
    )
  const kinds = (abi: Abi) => [
    abi.instructions.has('note'),
    abi.events.has('noted'),
    abi.eventSubjects.has('note'),
    abi.permissions.has('CanNote'),
    abi.parameters.some(({ name }) => name === 'note_bytes'),
    abi.errorNames.has(290),
    abi.scheduled.has('notes_run'),
    abi.endOfBlock.some(({ feature }) => feature === 'notes'),
    hasRule({ abi }, rule),
    abi.costOf([instruction(instructions.oldNote, 1)], 'record') === 4,
  ]

  it('belongs to that ABI and no earlier one', () => {
    const feature = added({ since })
    expect(new Set(kinds(composeAbi(1, [feature])))).toEqual(new Set([false]))
    expect(new Set(kinds(composeAbi(2, [feature])))).toEqual(new Set([true]))
  })

  it('leaves the hash of the earlier ABI unchanged', () => {
    const before: Feature = {
      ...added({}),
      events: [],
      permissions: [],
      parameters: [],
      errors: {},
      scheduled: [],
      endOfBlock: [],
      rules: [],
      instructions: added({}).instructions.flatMap((def) =>
        def.kind === 'note' ? [] : [{ ...def, cost: { base: 1 } }],
      ),
    }
    const hashOf = (number: number, feature: Feature) => composeAbi(number, [feature]).hash.toString('hex')
    expect(hashOf(1, added({ since }))).toBe(hashOf(1, before))
    expect(hashOf(2, added({ since }))).not.toBe(hashOf(2, before))
  })

  it('can be a whole feature', () => {
    const feature: Feature = { ...added({}), since }
    expect(composeAbi(1, [feature]).features).toEqual([])
    expect(composeAbi(2, [feature]).features.map(({ name }) => name)).toEqual(['notes'])
    expect(['conference', 'contracts', 'staking', 'zk'].map((name) => ABI_1.featureHashes.has(name))).not.toContain(
      true,
    )
  })

  it('is rejected if no release has its ABI, and the error names the ABI', () => {
    expect([...ABIS.keys()]).toEqual([1, 2])
    expect(() => composeAbis([added({ since: 3 })])).toThrow(
      'cost of oldNote per note belongs to ABI 3; releases have 1, 2',
    )
    for (const number of [0, 1.5]) expect(() => composeAbis([{ ...added({}), since: number }])).toThrow('feature notes')
  })

  it('can be a rule, which must be unique across features', () => {
    expect(() => composeAbi(2, [{ ...added({}), rules: [rule, { ...rule }] }])).toThrow('two features share the rule')
  })
})

describe('sections of the genesis manifest', () => {
  const [first, ...others] = ABI_1.features as [Feature, ...Feature[]]
  const section = (name: string) => ({ section: name, schema: u8, instructionsOf: () => [] }) as GenesisSection<unknown>
  const composed = (...genesis: GenesisSection<unknown>[]) => composeAbi(1, [{ ...first, genesis }, ...others])

  it('include the sections of all features, in order of their names', () => {
    const names = composed(section('zones'), section('alone')).genesis.map((one) => one.section)
    expect(names).toEqual(['alone', 'lanes', 'zones'])
  })

  it('have unique names', () => {
    expect(() => composed(section('lanes'))).toThrow('two features share the genesis section lanes')
    expect(() => composed(section('topology'))).toThrow('the name of a field of every manifest')
  })
})

describe('pairing verification', () => {
  const costs = ABI_1.features
    .flatMap((feature) => feature.instructions)
    .map((def) => [def.kind, def.cost.base] as const)

  it.each(['registerPeer', 'rotateConsensusKey', 'acceptRelayEnvelope'])('limits %s to a few per block', (kind) => {
    const base = new Map(costs).get(kind) ?? 0
    expect(Math.floor(BLOCK_TEU.fallback / base)).toBeLessThanOrEqual(6)
    // With the largest committee it still fits a transaction.
    const def = ABI_1.instructions.get(kind)
    const envelope = { committeeKeys: Array.from({ length: ROSTER_MAX }, () => '') }
    expect(teuOf(def?.cost as Cost<unknown>, { envelope }, 'record') + TEU_PER_SIGNATURE).toBeLessThan(
      MAX_TEU_PER_TX.fallback,
    )
  })
})

describe('the cost of an instruction', () => {
  it('is the sum of its base and each counted item, and has a text that lists both', () => {
    const letters = { teu: 2, item: 'letter', count: (text: string) => text.length }
    const cost = { base: 64, per: [letters] }
    const both = { base: 64, per: [letters, { teu: 5, item: 'text', count: () => 1, storedOnly: true as const }] }
    expect([teuOf(both, 'abc', 'record'), teuOf(both, 'abc', 'stored')]).toEqual([70, 75])
    expect(costText(both)).toBe('64 + 2 per letter + 5 per text in a stored list')
    expect([teuOf(cost, 'abc', 'record'), costText(cost)]).toEqual([70, '64 + 2 per letter'])
    expect([teuOf({ base: 8 }, 'abc', 'stored'), costText({ base: 8 })]).toEqual([8, '8'])
    expect(costText({ ...cost, base: 0 })).toBe('2 per letter')
  })
})
